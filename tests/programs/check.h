// Programs that check themselves: with racert's interceptors in front of libc
// they must behave as they do without.
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __cplusplus
extern "C"
#endif
    __attribute__((weak)) void
    __racert_init(unsigned abi_version);

// As the constructor of an instrumented module does.
__attribute__((constructor)) static void start_runtime(void)
{
    if (!__racert_init) {
        fprintf(stderr, "the runtime is not there\n");
        exit(99);
    }
    __racert_init(RACERT_ABI_VERSION);
}

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition,    \
                    errno);                                                              \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

static inline struct timespec in_10_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += 10 * 1000 * 1000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}
