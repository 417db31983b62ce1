// C11's own names for threads, mutexes, conditions and once.
#include "check.h"
#include <threads.h>

static mtx_t mutex;
static cnd_t cond;
static once_flag flag = ONCE_FLAG_INIT;
static int ready, once_runs;

static void once(void)
{
    once_runs++;
}

static int wait_until_ready(void *argument)
{
    call_once(&flag, once);
    CHECK(mtx_lock(&mutex) == thrd_success);
    while (!ready)
        CHECK(cnd_wait(&cond, &mutex) == thrd_success);
    CHECK(mtx_unlock(&mutex) == thrd_success);
    if (argument)
        thrd_exit(42);
    return 43;
}

static int find_it_taken(void *argument)
{
    struct timespec soon = in_10_ms(CLOCK_REALTIME);
    CHECK(mtx_trylock(&mutex) == thrd_busy);
    CHECK(mtx_timedlock(&mutex, &soon) == thrd_timedout);
    return 0;
}

int main(void)
{
    thrd_t first, second;
    int result;
    CHECK(mtx_init(&mutex, mtx_timed) == thrd_success);
    CHECK(cnd_init(&cond) == thrd_success);
    CHECK(thrd_create(&first, wait_until_ready, NULL) == thrd_success);
    CHECK(thrd_create(&second, wait_until_ready, &ready) == thrd_success);
    CHECK(mtx_lock(&mutex) == thrd_success);
    ready = 1;
    CHECK(cnd_broadcast(&cond) == thrd_success);
    CHECK(mtx_unlock(&mutex) == thrd_success);
    CHECK(thrd_join(first, &result) == thrd_success && result == 43);
    CHECK(thrd_join(second, &result) == thrd_success && result == 42);
    CHECK(once_runs == 1);

    CHECK(mtx_lock(&mutex) == thrd_success);
    struct timespec soon = in_10_ms(CLOCK_REALTIME);
    CHECK(cnd_timedwait(&cond, &mutex, &soon) == thrd_timedout);
    CHECK(thrd_create(&first, find_it_taken, NULL) == thrd_success);
    CHECK(thrd_join(first, NULL) == thrd_success);
    CHECK(mtx_unlock(&mutex) == thrd_success);
    CHECK(thrd_create(&first, wait_until_ready, NULL) == thrd_success);
    CHECK(thrd_detach(first) == thrd_success);
    puts("ok");
}
