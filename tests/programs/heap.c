// The malloc family: alignment, contents, limits, errors.
#define _GNU_SOURCE
#include "check.h"
#include <malloc.h>
#include <stdint.h>
#include <string.h>

static void filled(void *block, int value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        CHECK(((char *)block)[i] == value);
}

static void alignments(void)
{
    for (size_t align = 8; align <= (size_t)1 << 22; align *= 2) {
        void *p = NULL;
        CHECK(posix_memalign(&p, align, 123) == 0);
        CHECK(((uintptr_t)p & (align - 1)) == 0);
        memset(p, 7, 123);
        p = realloc(p, 5000);
        filled(p, 7, 123);
        free(p);
        p = aligned_alloc(align, align);
        CHECK(p && ((uintptr_t)p & (align - 1)) == 0);
        free(p);
        p = memalign(align, 1);
        CHECK(p && ((uintptr_t)p & (align - 1)) == 0);
        free(p);
    }
    void *p = valloc(10);
    CHECK(((uintptr_t)p & 4095) == 0);
    free(p);
    p = pvalloc(10);
    CHECK(((uintptr_t)p & 4095) == 0 && malloc_usable_size(p) >= 4096);
    free(p);
    CHECK(posix_memalign(&p, 3, 10) == EINVAL);
    CHECK(posix_memalign(&p, 4, 10) == EINVAL);
}

static void too_much(void)
{
    volatile size_t max = SIZE_MAX;
    void *kept = malloc(100);
    memset(kept, 3, 100);
    for (size_t less = 0; less < 64; less++) {
        errno = 0;
        CHECK(malloc(max - less) == NULL && errno == ENOMEM);
        errno = 0;
        CHECK(realloc(kept, max - less) == NULL && errno == ENOMEM);
    }
    errno = 0;
    CHECK(calloc(max / 2, 3) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(calloc(1, max - 8) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(reallocarray(kept, max / 2, 4) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(realloc(kept, (size_t)1 << 46) == NULL && errno == ENOMEM);
    CHECK(malloc_usable_size(kept) >= 100);
    filled(kept, 3, 100);
    free(kept);
}

static void sizes_change(void)
{
    char *p = malloc(100);
    memset(p, 3, 100);
    size_t sizes[] = {1 << 20, 10 << 20, 200, 1 << 17, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        p = realloc(p, sizes[i]);
        CHECK(p && malloc_usable_size(p) >= sizes[i]);
        filled(p, 3, 100);
    }
    CHECK(realloc(p, 0) == NULL);
    p = realloc(NULL, 5);
    CHECK(p);
    free(p);
}

int main(void)
{
    for (size_t size = 0; size < 3000; size += 7) {
        char *p = malloc(size);
        CHECK(p && ((uintptr_t)p & 15) == 0 && malloc_usable_size(p) >= size);
        memset(p, 1, size);
        free(p);
        p = calloc(size, 3);
        filled(p, 0, size * 3);
        free(p);
    }
    char *zero = calloc(1, 1 << 22);
    filled(zero, 0, 1 << 22);
    free(zero);
    alignments();
    too_much();
    sizes_change();
    free(NULL);
    CHECK(malloc_usable_size(NULL) == 0);
    char *copy = strdup("copied by libc");
    CHECK(strcmp(copy, "copied by libc") == 0);
    free(copy);
    char *line;
    CHECK(asprintf(&line, "%d", 42) == 2);
    free(line);
    puts("ok");
}
