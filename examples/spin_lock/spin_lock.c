/* Two threads count under a lock that racert cannot see. Compiled with
   -DANNOTATED the program says where the lock is taken and given back. */
#include <pthread.h>
#include <stdio.h>

#ifdef ANNOTATED
#include <racert/annotations.h>
#else
#define ANNOTATE_RWLOCK_ACQUIRED(lock, is_write)
#define ANNOTATE_RWLOCK_RELEASED(lock, is_write)
#endif

void spin_acquire(int *lock);
void spin_release(int *lock);

static int lock;
static int counter;

static void *count(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        spin_acquire(&lock);
        ANNOTATE_RWLOCK_ACQUIRED(&lock, 1);
        counter++;
        ANNOTATE_RWLOCK_RELEASED(&lock, 1);
        spin_release(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("counter is %d\n", counter);
    return 0;
}
