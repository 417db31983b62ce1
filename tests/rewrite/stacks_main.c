// Two threads call a library from deep down, from signal handlers on a stack of
// their own, from contexts on stacks above and below, and when they end.
// "racy": contexts do something about one variable.
#include "turns.h"
#include <signal.h>
#include <ucontext.h>

enum { DEEP = 60000, STACK = 256 << 10 };

long deeper(long *cells, long depth);
long bump_shared(long by);
long bump_own(long *cell);

static __thread long cells[64];
static __thread ucontext_t home, away;
static int is_racy;

static pthread_key_t at_end;

// The last of several times, after all others have gone.
static void end(void *times) {
    bump_own(cells);
    if ((long)times > 1)
        pthread_setspecific(at_end, (void *)((long)times - 1));
}

static void handle(int signal) {
    (void)signal;
    bump_own(cells);
}

static void elsewhere(void) {
    bump_own(cells);
    swapcontext(&away, &home);
    bump_own(cells);
    if (is_racy)
        bump_shared(1);
    swapcontext(&away, &home);
}

static void on_stack(char *stack) {
    getcontext(&away);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = STACK;
    away.uc_link = &home;
    makecontext(&away, elsewhere, 0);
    swapcontext(&home, &away);
    bump_own(cells);
    raise(SIGUSR1);
    swapcontext(&home, &away);
    bump_own(cells);
}

static void work(int thread, int round) {
    static pthread_mutex_t own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
    char below[STACK];
    char *above = malloc(STACK), *handlers = malloc(STACK);
    stack_t alternate = {.ss_sp = handlers, .ss_size = STACK};
    pthread_mutex_lock(&own[thread]);
    pthread_mutex_unlock(&own[thread]);
    sigaltstack(&alternate, NULL);
    pthread_setspecific(at_end, (void *)4L);
    raise(SIGUSR1);
    if (round == 0)
        deeper(cells, DEEP);
    on_stack(above);
    on_stack(below);
    alternate.ss_flags = SS_DISABLE;
    sigaltstack(&alternate, NULL);
    free(handlers);
    free(above);
}

int main(int argc, char **argv) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    pthread_key_create(&at_end, end);
    is_racy = argc > 1 && !strcmp(argv[1], "racy");
    take_turns(argc, argv, work);
    return 0;
}
