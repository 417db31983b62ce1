// Two threads that use one thing. "locked": under a mutex, as they come.
// "racy": one after the other, ordered by nothing that can be seen from
// outside, so that what they use stays sound while they race for it: the turn
// is passed on through a page that every thread has at another address.
#ifndef TURNS_H
#define TURNS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ROUNDS = 20 };

static int turns_locked;
static volatile int *turns_now[2];
static pthread_mutex_t turns_mutex = PTHREAD_MUTEX_INITIALIZER;
static void (*turns_work)(int thread, int round);

static void *turns_thread(void *argument) {
    int mine = (int)(long)argument;
    if (!turns_locked)
        while (*turns_now[mine] != mine)
            sched_yield();
    for (int round = 0; round < ROUNDS; round++) {
        if (turns_locked)
            pthread_mutex_lock(&turns_mutex);
        turns_work(mine, round);
        if (turns_locked)
            pthread_mutex_unlock(&turns_mutex);
    }
    *turns_now[mine] = mine + 1;
    return NULL;
}

// Reads the program's argument and lets both threads do `work`.
static void take_turns(int argc, char **argv, void (*work)(int thread, int round)) {
    pthread_t threads[2];
    int page = memfd_create("turns", 0);
    char byte[4096] = {0};
    if (page < 0 || fwrite(byte, sizeof byte, 1, fdopen(page, "w")) != 1)
        abort();
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        void *at = mmap(NULL, sizeof byte, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
        if (at == MAP_FAILED)
            abort();
        turns_now[i] = (volatile int *)at;
    }
    turns_locked = argc > 1 && strcmp(argv[1], "locked") == 0;
    turns_work = work;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, turns_thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("done");
}

#endif
