// Calls one function of the library from two threads.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

void bump_unguarded(void);
void bump_own_heap(void);
void bump_callers(long *where);
void bump_mutex(void);
void bump_spin(void);
void bump_beside_lock(void);
void bump_beside_counter(void);
void bump_beside_counter_word(void);
void bump_behind_constant(void);
void bump_constant(void);
void bump_once(void);
void bump_ticket(void);

static long mine;
static void callers(void) { bump_callers(&mine); }

static const struct {
    const char *name;
    void (*function)(void);
} functions[] = {
    {"unguarded", bump_unguarded}, {"own_heap", bump_own_heap}, {"callers", callers},
    {"mutex", bump_mutex},         {"spin", bump_spin},         {"once", bump_once},
    {"ticket", bump_ticket},       {"beside_lock", bump_beside_lock},
    {"beside_counter", bump_beside_counter},
    {"beside_counter_word", bump_beside_counter_word},
    {"behind_constant", bump_behind_constant},
    {"constant", bump_constant},
};

static void (*function)(void);

static void *work(void *unused) {
    (void)unused;
    for (int i = 0; i < 200; i++)
        function();
    return NULL;
}

int main(int argc, char **argv) {
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        if (argc > 1 && !strcmp(argv[1], functions[i].name))
            function = functions[i].function;
    if (!function)
        return 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
