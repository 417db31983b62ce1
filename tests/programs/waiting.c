// Condition variables, barriers, semaphores, once.
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static int waiting, cleaned, outer_runs, inner_runs;

static void clean(void *argument)
{
    cleaned++;
    CHECK(pthread_mutex_unlock(&mutex) == 0);
}

static void *wait_for_ever(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean, NULL);
    waiting = 1;
    for (;;)
        pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(0);
    return argument;
}

static void a_cancelled_wait_holds_the_mutex(void)
{
    pthread_t thread;
    void *value;
    CHECK(pthread_create(&thread, NULL, wait_for_ever, NULL) == 0);
    for (int there = 0; !there;) {
        pthread_mutex_lock(&mutex);
        there = waiting;
        pthread_mutex_unlock(&mutex);
    }
    CHECK(pthread_cancel(thread) == 0);
    CHECK(pthread_join(thread, &value) == 0);
    CHECK(value == PTHREAD_CANCELED && cleaned == 1);
    CHECK(pthread_mutex_trylock(&mutex) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
}

static void run_inner(void)
{
    inner_runs++;
}

static void run_outer(void)
{
    outer_runs++;
    CHECK(pthread_once(&inner, run_inner) == 0);
}

static void *meet(void *argument)
{
    long serial = 0;
    for (int round = 0; round < 50; round++) {
        int result = pthread_barrier_wait(&barrier);
        CHECK(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
        serial += result == PTHREAD_BARRIER_SERIAL_THREAD;
    }
    CHECK(sem_post(&semaphore) == 0);
    CHECK(pthread_once(&outer, run_outer) == 0);
    CHECK(outer_runs == 1 && inner_runs == 1);
    return (void *)serial;
}

static void timeouts(void)
{
    struct timespec real = in_10_ms(CLOCK_REALTIME), mono = in_10_ms(CLOCK_MONOTONIC);
    pthread_mutex_lock(&mutex);
    CHECK(pthread_cond_timedwait(&cond, &mutex, &real) == ETIMEDOUT);
    CHECK(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &mono) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    CHECK(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    CHECK(sem_timedwait(&semaphore, &real) == -1 && errno == ETIMEDOUT);
    CHECK(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &mono) == -1 && errno == ETIMEDOUT);
}

int main(void)
{
    a_cancelled_wait_holds_the_mutex();

    pthread_t threads[4];
    long serial = 0;
    CHECK(pthread_barrier_init(&barrier, NULL, 4) == 0);
    CHECK(sem_init(&semaphore, 0, 0) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, meet, NULL) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(sem_wait(&semaphore) == 0);
    for (int i = 0; i < 4; i++) {
        void *value;
        CHECK(pthread_join(threads[i], &value) == 0);
        serial += (long)value;
    }
    CHECK(serial == 50);
    timeouts();
    CHECK(pthread_barrier_destroy(&barrier) == 0);
    CHECK(sem_destroy(&semaphore) == 0);
    puts("ok");
}
