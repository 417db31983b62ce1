#include "count.h"

#include <pthread.h>
#include <stddef.h>

static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add_racy(void *unused)
{
    counter++;
    return unused;
}

static void *add_locked(void *unused)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static int in_two_threads(void *(*add)(void *))
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter;
}

int count_racy(void)
{
    return in_two_threads(add_racy);
}

int count_locked(void)
{
    return in_two_threads(add_locked);
}
