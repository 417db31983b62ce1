// Uses all that kept.c has.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

int kept_ready(void), kept_own(void), kept_chosen(int), kept_value(void);
int kept_switch(int, int *);
extern __thread int kept_shared_name;

static void *work(void *unused) {
    int cell = 11;
    for (int which = 0; which < 8; which++)
        printf("%d ", kept_switch(which, &cell));
    int once = kept_own(), again = kept_own();
    printf("own %d %d %d\n", once, again, kept_shared_name);
    return unused;
}

int main(void) {
    printf("ready %d chosen %d\n", kept_ready(), kept_chosen(7));
    int (*old)(void) = (int (*)(void))dlvsym(RTLD_DEFAULT, "kept_value", "KEPT_1");
    printf("value %d before %d\n", kept_value(), old ? old() : -1);
    work(NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
