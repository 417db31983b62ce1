// What a loader and a linker have to do with a library, besides its code.
#include <stdio.h>

static int ready;
static __thread int own = 1;
__thread int kept_shared_name = 10;

__attribute__((constructor)) static void prepare(void) { ready += 40; }
__attribute__((destructor)) static void finish(void) { printf("finish %d\n", ready); }

int kept_ready(void) { return ready += 1; }
int kept_own(void) { return own += kept_shared_name++; }

static int twice(int x) { return 2 * x + ready; }
static int thrice(int x) { return 3 * x + ready; }
static int (*choose(void))(int) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse2") ? thrice : twice;
}
int kept_chosen(int) __attribute__((ifunc("choose")));

int kept_old(void) { return ready + 1; }
int kept_new(void) { return ready + 2; }
__asm__(".symver kept_old, kept_value@KEPT_1");
__asm__(".symver kept_new, kept_value@@KEPT_2");

int kept_switch(int which, int *cell) {
    switch (which) {
    case 0: return *cell += 3;
    case 1: return *cell *= 5;
    case 2: return *cell -= 7;
    case 3: return *cell ^= 9;
    case 4: return *cell <<= 1;
    case 5: return *cell |= 64;
    case 6: return *cell % 1000;
    default: return 0;
    }
}
