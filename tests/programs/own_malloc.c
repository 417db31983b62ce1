// A program that brings its own malloc keeps it.
#include "check.h"
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static _Alignas(16) char pool[16 << 20];
static size_t used;
static int calls;

static int mine(void *block)
{
    return (char *)block >= pool && (char *)block < pool + sizeof pool;
}

void *malloc(size_t size)
{
    size_t at = __atomic_fetch_add(&used, (size + 31) & ~(size_t)15, __ATOMIC_RELAXED);
    if (at + size + 16 > sizeof pool)
        return NULL;
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    *(size_t *)(pool + at) = size;
    return pool + at + 16;
}

void free(void *block)
{
    if (block && !mine(block))
        abort();
}

void *calloc(size_t count, size_t size)
{
    return malloc(count * size);
}

void *realloc(void *block, size_t size)
{
    void *new = malloc(size);
    if (block && new) {
        size_t old = *(size_t *)((char *)block - 16);
        memcpy(new, block, old < size ? old : size);
    }
    return new;
}

static void *copy(void *text)
{
    return strdup(text);
}

int main(void)
{
    pthread_t thread;
    void *text;
    CHECK(pthread_create(&thread, NULL, copy, "text") == 0);
    CHECK(pthread_join(thread, &text) == 0);
    CHECK(mine(text) && calls > 0);
    free(text);
    puts("ok");
}
