// Large blocks and mappings that are hardly used cost hardly anything, while
// several threads are there and the detector is at work.
#include "check.h"
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_it(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static long resident(void)
{
    char line[256];
    long kilobytes = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, "VmHWM:", 6))
            kilobytes = atol(line + 6);
    fclose(status);
    return kilobytes;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    CHECK(pthread_create(&thread, NULL, wait_for_it, NULL) == 0);
    long before = resident();
    for (int i = 0; i < 20; i++) {
        char *volatile block = malloc(1ul << 30);
        CHECK(block);
        block[i << 20] = 1;
        char *volatile larger = realloc(block, 3ul << 29);
        CHECK(larger && larger[i << 20] == 1);
        free(larger);
    }
    for (int i = 0; i < 100; i++) {
        size_t size = 1ul << 40;
        char *range = mmap(NULL, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        CHECK(range != MAP_FAILED);
        range[size / 2] = 1;
        CHECK(munmap(range, size) == 0);
    }
    CHECK(resident() < before + (64 << 10));
    pthread_mutex_unlock(&mutex);
    CHECK(pthread_join(thread, NULL) == 0);
    puts("ok");
}
