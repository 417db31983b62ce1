// Two threads that use one thing. "locked": under a mutex, as they come.
// "racy": one after the other, ordered by nothing that can be seen from
// outside, so that what they use stays sound while they race for it.
#ifndef TURNS_H
#define TURNS_H

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20 };

static int turns_locked;
static int turns_now;
static pthread_mutex_t turns_mutex = PTHREAD_MUTEX_INITIALIZER;
static void (*turns_work)(int thread, int round);

static void *turns_thread(void *argument) {
    int mine = (int)(long)argument;
    if (!turns_locked)
        while (__atomic_load_n(&turns_now, __ATOMIC_RELAXED) != mine)
            ;
    for (int round = 0; round < ROUNDS; round++) {
        if (turns_locked)
            pthread_mutex_lock(&turns_mutex);
        turns_work(mine, round);
        if (turns_locked)
            pthread_mutex_unlock(&turns_mutex);
    }
    __atomic_store_n(&turns_now, mine + 1, __ATOMIC_RELAXED);
    return NULL;
}

// Reads the program's argument and lets both threads do `work`.
static void take_turns(int argc, char **argv, void (*work)(int thread, int round)) {
    pthread_t threads[2];
    turns_locked = argc > 1 && strcmp(argv[1], "locked") == 0;
    turns_work = work;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, turns_thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("done");
}

#endif
