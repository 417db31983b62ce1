// A library with one counter, guarded in different ways or not at all.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static long counter;
static char text[64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int spin;
static atomic_long published;

static void touch(void) {
    counter++;
    memcpy(text + 8, text, 32);
}

void bump_unguarded(void) { touch(); }

// In memory that the library itself has allocated.
void bump_own_heap(void) {
    static long *block;
    pthread_mutex_lock(&mutex);
    if (!block)
        block = calloc(4, sizeof *block);
    pthread_mutex_unlock(&mutex);
    block[1]++;
}

// In memory of the caller's.
void bump_callers(long *where) { ++*where; }

void bump_mutex(void) {
    pthread_mutex_lock(&mutex);
    touch();
    pthread_mutex_unlock(&mutex);
}

// The lock is taken by a locked instruction and given back by a plain store.
void bump_spin(void) {
    while (atomic_exchange_explicit(&spin, 1, memory_order_acquire))
        ;
    touch();
    atomic_store_explicit(&spin, 0, memory_order_release);
}

// A lock with the data it guards in one cache line, and in one word.
static struct {
    atomic_int lock;
    int same_word;
    long same_line;
} line __attribute__((aligned(64)));

void bump_beside_lock(void) {
    while (atomic_exchange_explicit(&line.lock, 1, memory_order_acquire))
        ;
    line.same_word++;
    line.same_line++;
    atomic_store_explicit(&line.lock, 0, memory_order_release);
}

// What is behind the locked addition is ordered before nothing.
void bump_beside_counter(void) {
    atomic_fetch_add(&line.lock, 1);
    line.same_line++;
}

void bump_beside_counter_word(void) {
    atomic_fetch_add(&line.lock, 1);
    line.same_word++;
}

// A variable that is read as far behind a constant as it is from there, and the
// constant itself.
static const int table[16] = {1, 2, 3};
static int guarded;

static int read_behind_table(long distance) {
    int value;
    __asm__ volatile("lea %2, %%rdx\n\tmov (%%rdx, %1), %0"
                     : "=&r"(value)
                     : "r"(distance), "m"(table)
                     : "rdx", "memory");
    return value;
}

static void set_guarded(void) {
    pthread_mutex_lock(&mutex);
    guarded++;
    pthread_mutex_unlock(&mutex);
}

void bump_behind_constant(void) {
    set_guarded();
    if (read_behind_table((char *)&guarded - (char *)table) < 0)
        abort();
}

void bump_constant(void) {
    set_guarded();
    if (read_behind_table(sizeof *table) != 2)
        abort();
}

// Made once by whoever comes first; the others see a flag, with a fence on
// either side, as libraries of before C11 do it.
void bump_once(void) {
    static volatile int done;
    static long *made;
    if (!done) {
        pthread_mutex_lock(&mutex);
        if (!done) {
            made = calloc(1, sizeof *made);
            *made = 7;
            __sync_synchronize();
            done = 1;
        }
        pthread_mutex_unlock(&mutex);
    }
    __sync_synchronize();
    if (*made != 7)
        abort();
}

// A ticket: each caller's number comes from a locked addition, and waiting for
// one's turn is a plain load.
void bump_ticket(void) {
    static atomic_long next;
    long mine = atomic_fetch_add(&next, 1);
    while (atomic_load_explicit(&published, memory_order_acquire) != mine)
        ;
    touch();
    atomic_fetch_add(&published, 1);
}
