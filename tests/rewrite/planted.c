// A library with one counter, guarded in different ways or not at all.
#include <pthread.h>
#include <stdatomic.h>
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
