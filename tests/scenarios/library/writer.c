// The library that the unload scenarios load.
static int calls;
__attribute__((noinline)) void library_write(int *where) { *where = 1; }
__attribute__((noinline)) int library_count(void) { return ++calls; }
