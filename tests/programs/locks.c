// Mutexes, read-write locks and spin locks: who gets them, and when not.
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int by_mutex, by_rwlock, by_spin;

static void *count(void *argument)
{
    for (int i = 0; i < 500; i++) {
        CHECK(pthread_mutex_lock(&mutex) == 0);
        by_mutex++;
        CHECK(pthread_mutex_unlock(&mutex) == 0);
        CHECK(pthread_rwlock_rdlock(&rwlock) == 0);
        CHECK(pthread_rwlock_unlock(&rwlock) == 0);
        CHECK(pthread_rwlock_wrlock(&rwlock) == 0);
        by_rwlock++;
        CHECK(pthread_rwlock_unlock(&rwlock) == 0);
        CHECK(pthread_spin_lock(&spin) == 0);
        by_spin++;
        CHECK(pthread_spin_unlock(&spin) == 0);
    }
    return argument;
}

static void *find_all_taken(void *argument)
{
    struct timespec real = in_10_ms(CLOCK_REALTIME), mono = in_10_ms(CLOCK_MONOTONIC);
    CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
    CHECK(pthread_mutex_timedlock(&mutex, &real) == ETIMEDOUT);
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &mono) == ETIMEDOUT);
    CHECK(pthread_rwlock_tryrdlock(&rwlock) == EBUSY);
    CHECK(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
    CHECK(pthread_rwlock_timedrdlock(&rwlock, &real) == ETIMEDOUT);
    CHECK(pthread_rwlock_timedwrlock(&rwlock, &real) == ETIMEDOUT);
    CHECK(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &mono) == ETIMEDOUT);
    CHECK(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &mono) == ETIMEDOUT);
    CHECK(pthread_spin_trylock(&spin) == EBUSY);
    return argument;
}

static void *die_with_it(void *lock)
{
    CHECK(pthread_mutex_lock(lock) == 0);
    return NULL;
}

static void run(void *(*start)(void *), void *argument)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, start, argument) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void kinds(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t special;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    CHECK(pthread_mutex_init(&special, &attr) == 0);
    for (int i = 0; i < 3; i++)
        CHECK(pthread_mutex_lock(&special) == 0);
    for (int i = 0; i < 3; i++)
        CHECK(pthread_mutex_unlock(&special) == 0);
    CHECK(pthread_mutex_destroy(&special) == 0);

    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    CHECK(pthread_mutex_init(&special, &attr) == 0);
    CHECK(pthread_mutex_lock(&special) == 0);
    CHECK(pthread_mutex_lock(&special) == EDEADLK);
    CHECK(pthread_mutex_unlock(&special) == 0);
    CHECK(pthread_mutex_destroy(&special) == 0);

    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    CHECK(pthread_mutex_init(&special, &attr) == 0);
    run(die_with_it, &special);
    CHECK(pthread_mutex_lock(&special) == EOWNERDEAD);
    CHECK(pthread_mutex_consistent(&special) == 0);
    CHECK(pthread_mutex_unlock(&special) == 0);
    CHECK(pthread_mutex_destroy(&special) == 0);
    pthread_mutexattr_destroy(&attr);
}

int main(void)
{
    pthread_t threads[4];
    CHECK(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, count, NULL) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(by_mutex == 2000 && by_rwlock == 2000 && by_spin == 2000);

    CHECK(pthread_mutex_trylock(&mutex) == 0);
    CHECK(pthread_rwlock_trywrlock(&rwlock) == 0);
    CHECK(pthread_spin_trylock(&spin) == 0);
    run(find_all_taken, NULL);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_rwlock_unlock(&rwlock) == 0);
    CHECK(pthread_spin_unlock(&spin) == 0);

    kinds();
    CHECK(pthread_spin_destroy(&spin) == 0);
    CHECK(pthread_rwlock_destroy(&rwlock) == 0);
    CHECK(pthread_rwlock_init(&rwlock, NULL) == 0);
    puts("ok");
}
