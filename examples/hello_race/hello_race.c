/* Two threads add to one counter without a lock: the smallest data race. */
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 1000 };

static int counter;

static void *count(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++)
        counter++;
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("counter is %d, expected %d\n", counter, 2 * ROUNDS);
    return 0;
}
