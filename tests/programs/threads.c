// Creating, naming, joining, detaching, cancelling and ending threads.
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t go;
static pthread_key_t key;
static int destroyed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void key_destructor(void *block)
{
    free(block);
    pthread_mutex_lock(&lock);
    destroyed++;
    pthread_mutex_unlock(&lock);
}

static void *echo(void *argument)
{
    pthread_setspecific(key, malloc(10));
    return argument;
}

static void *leave(void *argument)
{
    pthread_setspecific(key, malloc(10));
    pthread_exit(argument);
}

static void *wait_to_go(void *argument)
{
    sem_wait(&go);
    return argument;
}

static void *detach_self(void *argument)
{
    CHECK(pthread_detach(pthread_self()) == 0);
    sem_post(&go);
    return argument;
}

static void *join_it(void *thread)
{
    pthread_join(*(pthread_t *)thread, NULL);
    return NULL;
}

static void many(void *(*start)(void *))
{
    pthread_t threads[16];
    for (long i = 0; i < 16; i++)
        CHECK(pthread_create(&threads[i], NULL, start, (void *)i) == 0);
    for (long i = 0; i < 16; i++) {
        void *value;
        CHECK(pthread_join(threads[i], &value) == 0 && (long)value == i);
    }
}

static void joins_that_do_not_wait_for_ever(void)
{
    pthread_t thread;
    void *value;
    CHECK(pthread_create(&thread, NULL, wait_to_go, (void *)9) == 0);
    CHECK(pthread_tryjoin_np(thread, &value) == EBUSY);
    struct timespec soon = in_10_ms(CLOCK_REALTIME);
    CHECK(pthread_timedjoin_np(thread, &value, &soon) == ETIMEDOUT);
    soon = in_10_ms(CLOCK_MONOTONIC);
    CHECK(pthread_clockjoin_np(thread, &value, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    CHECK(pthread_setname_np(thread, "waiting") == 0);
    char name[16];
    CHECK(pthread_getname_np(thread, name, sizeof name) == 0 && !strcmp(name, "waiting"));
    sem_post(&go);
    CHECK(pthread_join(thread, &value) == 0 && value == (void *)9);
}

static void cancelled_while_blocked(void)
{
    pthread_t waiting, joining;
    void *value;
    CHECK(pthread_create(&waiting, NULL, wait_to_go, NULL) == 0);
    CHECK(pthread_create(&joining, NULL, join_it, &waiting) == 0);
    CHECK(pthread_cancel(joining) == 0);
    CHECK(pthread_join(joining, &value) == 0 && value == PTHREAD_CANCELED);
    CHECK(pthread_cancel(waiting) == 0);
    CHECK(pthread_join(waiting, &value) == 0 && value == PTHREAD_CANCELED);
}

static void attributes(void)
{
    pthread_attr_t attr;
    pthread_t thread;
    size_t size;
    pthread_attr_init(&attr);
    CHECK(pthread_attr_setstacksize(&attr, 16384) == 0);
    CHECK(pthread_create(&thread, &attr, echo, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_attr_getstacksize(&attr, &size) == 0 && size == 16384);
    CHECK(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    CHECK(pthread_create(&thread, &attr, wait_to_go, NULL) == 0);
    sem_post(&go);
    CHECK(pthread_attr_setstacksize(&attr, (size_t)1 << 46) == 0);
    CHECK(pthread_create(&thread, &attr, echo, NULL) == EAGAIN);
    pthread_attr_destroy(&attr);
}

int main(void)
{
    sem_init(&go, 0, 0);
    pthread_key_create(&key, key_destructor);
    many(echo);
    many(leave);
    CHECK(destroyed == 32);
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, detach_self, NULL) == 0);
        sem_wait(&go);
    }
    joins_that_do_not_wait_for_ever();
    cancelled_while_blocked();
    attributes();
    puts("ok");
}
