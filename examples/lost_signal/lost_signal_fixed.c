/* The flag is set under the lock: the signal comes before the look at the flag
   or after the wait began, and no time limit is needed. Which of the two it is
   makes no difference to racert either. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int ready;
static int parcel;

static void *deliver(void *unused)
{
    parcel = 42;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t courier;
    pthread_create(&courier, NULL, deliver, NULL);

    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&arrived, &mutex);
    pthread_mutex_unlock(&mutex);

    printf("parcel %d\n", parcel);
    pthread_join(courier, NULL);
    return 0;
}
