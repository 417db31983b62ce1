/* Loads the library and counts with it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    void *library = dlopen(PLUGIN, RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*count)(void) = (int (*)(void))dlsym(library, argc > 1 ? "count_racy" : "count_locked");
    printf("sum %d\n", count());
    return 0;
}
