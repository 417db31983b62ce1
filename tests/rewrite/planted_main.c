// Calls one function of the library from two threads.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

void bump_unguarded(void);
void bump_mutex(void);
void bump_spin(void);
void bump_ticket(void);

static void *work(void *function) {
    for (int i = 0; i < 200; i++)
        ((void (*)(void))function)();
    return NULL;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    void (*function)(void) = !strcmp(name, "mutex")    ? bump_mutex
                             : !strcmp(name, "spin")   ? bump_spin
                             : !strcmp(name, "ticket") ? bump_ticket
                                                       : bump_unguarded;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)function);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
