// Several threads that do the same thing at the same time.
#ifndef MANY_H
#define MANY_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4 };

static void many(void *(*work)(void *)) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i))
            abort();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    puts("done");
}

#endif
