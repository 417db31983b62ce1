// Opens a library while two threads are running and calls one of its
// functions from both: LIBRARY FUNCTION.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static void (*function)(void);
static pthread_barrier_t opened;

static void *work(void *unused) {
    pthread_barrier_wait(&opened);
    for (int i = 0; i < 200; i++)
        function();
    return unused;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    if (argc < 3)
        return 1;
    pthread_barrier_init(&opened, NULL, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
        puts(dlerror());
        return 1;
    }
    function = (void (*)(void))dlsym(library, argv[2]);
    pthread_barrier_wait(&opened);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
