// Forks while other threads are busy in every part of the runtime: the child
// can do all that the parent can.
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOCKS = 16, WORKERS = 2, FORKS = 40 };

static atomic_int stop;
static pthread_mutex_t mutexes[LOCKS];
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *argument)
{
    unsigned state = (unsigned)(long)argument;
    while (!atomic_load(&stop)) {
        state = state * 1664525 + 1013904223;
        pthread_mutex_t *mutex = &mutexes[state >> 28];
        pthread_mutex_lock(mutex);
        free(malloc(state >> 22));
        pthread_mutex_unlock(mutex);
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
        usleep(1);
    }
    return NULL;
}

static void *in_child(void *argument)
{
    // POSIX leaves the parent's mutexes as they were; others work as ever.
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        free(malloc(i * 100));
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static void use_threads(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, in_child, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
}

static void child(int depth)
{
    // A child that hangs must not hang the test.
    alarm(60);
    use_threads();
    if (depth > 0) {
        int status;
        pid_t grandchild = fork();
        if (grandchild == 0)
            child(depth - 1);
        CHECK(waitpid(grandchild, &status, 0) == grandchild);
        CHECK(status == 0);
    }
    if (depth % 2)
        _exit(0);
    exit(0);
}

int main(void)
{
    pthread_t workers[WORKERS];
    for (int i = 0; i < LOCKS; i++)
        CHECK(pthread_mutex_init(&mutexes[i], NULL) == 0);
    for (long i = 0; i < WORKERS; i++)
        CHECK(pthread_create(&workers[i], NULL, work, (void *)(i + 1)) == 0);
    for (int i = 0; i < FORKS; i++) {
        int status;
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0)
            child(i % 3);
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK(status == 0);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < WORKERS; i++)
        CHECK(pthread_join(workers[i], NULL) == 0);
    puts("ok");
}
