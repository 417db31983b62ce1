/* Two threads of a program that nobody compiled with racert use the library. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

int square(int key);

static void *work(void *first)
{
    int wrong = 0;
    for (int key = (int)(intptr_t)first; key < 1000; key += 2)
        wrong += square(key) != key * key;
    return (void *)(intptr_t)wrong;
}

int main(void)
{
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
