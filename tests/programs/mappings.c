// mmap and its relatives, also where the program may not map.
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <sys/mman.h>

#define SHADOW ((void *)0x300000000000)

static void *nothing(void *argument)
{
    return argument;
}

int main(void)
{
    int any = MAP_PRIVATE | MAP_ANONYMOUS, both = PROT_READ | PROT_WRITE;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, nothing, NULL) == 0);

    char *p = mmap(NULL, 1 << 20, both, any, -1, 0);
    CHECK(p != MAP_FAILED);
    p[5] = 1;
    p = mremap(p, 1 << 20, 4 << 20, MREMAP_MAYMOVE);
    CHECK(p != MAP_FAILED && p[5] == 1);
    CHECK(munmap(p, 4 << 20) == 0);

    errno = 0;
    CHECK(mmap(SHADOW, 4096, both, any | MAP_FIXED, -1, 0) == MAP_FAILED);
    CHECK(errno == ENOMEM);
    p = mmap(SHADOW, 4096, both, any, -1, 0);
    CHECK(p != MAP_FAILED && p != SHADOW);
    errno = 0;
    CHECK(mremap(p, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, SHADOW) == MAP_FAILED);
    CHECK(errno == ENOMEM);
    CHECK(mmap(p, 4096, PROT_READ, any | MAP_FIXED, -1, 0) == p);
    CHECK(munmap(p, 4096) == 0);

    CHECK(munmap((void *)1, 5) == -1 && errno == EINVAL);
    CHECK(mmap(NULL, 0, PROT_READ, any, -1, 0) == MAP_FAILED && errno == EINVAL);
    CHECK(pthread_join(thread, NULL) == 0);
    puts("ok");
}
