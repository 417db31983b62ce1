// Threads in numbers: one after the other, detached, all at once, with stacks
// of every size. Memory must not grow with threads that are gone.
#include "check.h"
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

static sem_t ended;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void *work(void *argument)
{
    pthread_mutex_lock(&mutex);
    sum += (long)argument;
    pthread_mutex_unlock(&mutex);
    sem_post(&ended);
    return argument;
}

// Kilobytes of memory in use.
static long resident(void)
{
    char line[256];
    long kilobytes = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, "VmRSS:", 6))
            kilobytes = atol(line + 6);
    fclose(status);
    return kilobytes;
}

static void joined(int count)
{
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        void *result;
        CHECK(pthread_create(&thread, NULL, work, (void *)1) == 0);
        CHECK(pthread_join(thread, &result) == 0);
        CHECK(result == (void *)1);
        CHECK(sem_wait(&ended) == 0);
    }
}

static void detached(int count, const pthread_attr_t *attr)
{
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, attr, work, (void *)1) == 0);
        if (!attr)
            CHECK(pthread_detach(thread) == 0);
        CHECK(sem_wait(&ended) == 0);
    }
}

static pthread_barrier_t barrier;

static void *meet(void *argument)
{
    pthread_barrier_wait(&barrier);
    return work(argument);
}

static void at_once(int count)
{
    pthread_t threads[count];
    CHECK(pthread_barrier_init(&barrier, NULL, count) == 0);
    for (int i = 0; i < count; i++)
        CHECK(pthread_create(&threads[i], NULL, meet, (void *)1) == 0);
    for (int i = 0; i < count; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < count; i++)
        CHECK(sem_wait(&ended) == 0);
    CHECK(pthread_barrier_destroy(&barrier) == 0);
}

static void with_stack_of(size_t size, int own)
{
    pthread_t thread;
    pthread_attr_t attr;
    void *stack = NULL;
    CHECK(pthread_attr_init(&attr) == 0);
    if (own) {
        CHECK(posix_memalign(&stack, 4096, size) == 0);
        CHECK(pthread_attr_setstack(&attr, stack, size) == 0);
    } else {
        CHECK(pthread_attr_setstacksize(&attr, size) == 0);
    }
    CHECK(pthread_create(&thread, &attr, work, (void *)1) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(sem_wait(&ended) == 0);
    free(stack);
}

int main(void)
{
    pthread_attr_t attr;
    CHECK(sem_init(&ended, 0, 0) == 0);
    joined(500);
    long before = resident();
    joined(2000);
    CHECK(resident() < before + 4096);
    detached(500, NULL);
    CHECK(pthread_attr_init(&attr) == 0);
    CHECK(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    detached(500, &attr);
    at_once(300);
    for (int own = 0; own < 2; own++) {
        with_stack_of(16 << 10, own);
        with_stack_of(64 << 10, own);
        with_stack_of(64 << 20, own);
    }
    CHECK(sum == 500 + 2000 + 500 + 500 + 300 + 6);
    puts("ok");
}
