// Work in a library, by two threads at once, each with data of its own.
#ifndef TWO_THREADS_H
#define TWO_THREADS_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int amount;

static void fail(const char *why) {
    puts(why);
    exit(1);
}

// Runs `work` twice; the argument says how much there is to do.
static int two_threads(int argc, char **argv, void *(*work)(void *)) {
    pthread_t threads[2];
    amount = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, work, NULL))
            fail("no thread");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

#endif
