/* The flag is set outside the lock. If that falls between the look at the flag
   and the wait, the signal is lost; the time limit of the wait hides it. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int ready;
static int parcel;

static void *deliver(void *unused)
{
    parcel = 42;
    ready = 1; /* the bug: without the lock */
    pthread_cond_signal(&arrived);
    return unused;
}

int main(void)
{
    pthread_t courier;
    pthread_create(&courier, NULL, deliver, NULL);

    pthread_mutex_lock(&mutex);
    while (!ready) {
        struct timespec limit;
        clock_gettime(CLOCK_REALTIME, &limit);
        limit.tv_sec += 1; /* "it sometimes hangs without this" */
        pthread_cond_timedwait(&arrived, &mutex, &limit);
    }
    pthread_mutex_unlock(&mutex);

    printf("parcel %d\n", parcel);
    pthread_join(courier, NULL);
    return 0;
}
