// Exit codes by every way out, and forks while other threads are busy.
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *busy(void *argument)
{
    void *blocks[64] = {0};
    unsigned random = (unsigned)(long)argument;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        random = random * 1103515245 + 12345;
        int i = random >> 8 & 63;
        free(blocks[i]);
        blocks[i] = malloc(random >> 16 & 4095);
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < 64; i++)
        free(blocks[i]);
    return NULL;
}

static void *allocate(void *argument)
{
    return malloc(3);
}

static int code_of(pid_t child)
{
    int status;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void *leave(void *argument)
{
    exit(5);
}

static void leave_by(int way)
{
    pthread_t thread;
    switch (way) {
    case 0: exit(5);
    case 1: _exit(5);
    case 2: _Exit(5);
    case 3: quick_exit(5);
    case 4:
        pthread_create(&thread, NULL, leave, NULL);
        pthread_exit(NULL);
    }
}

int main(void)
{
    pthread_t threads[3], thread;
    for (long i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, busy, (void *)i) == 0);
    for (int i = 0; i < 100; i++) {
        pid_t child = fork();
        if (child == 0) {
            void *block;
            CHECK(pthread_create(&thread, NULL, allocate, NULL) == 0);
            CHECK(pthread_join(thread, &block) == 0);
            free(block);
            _exit(6);
        }
        CHECK(code_of(child) == 6);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);

    for (int way = 0; way < 5; way++) {
        pid_t child = fork();
        if (child == 0)
            leave_by(way);
        CHECK(code_of(child) == 5);
    }
    pid_t child = vfork();
    if (child == 0) {
        execlp("false", "false", NULL);
        _exit(127);
    }
    CHECK(code_of(child) == 1);
    child = _Fork();
    if (child == 0) {
        free(malloc(5));
        _exit(4);
    }
    CHECK(code_of(child) == 4);
    CHECK(system("exit 3") == 3 << 8);
    // Not written by hand: libc flushes its streams at exit.
    printf("ok\n");
}
