// The library of the linked scenarios.
int library_counter;
static int guarded;

__attribute__((noinline)) void library_count(void) { library_counter += 1; }
__attribute__((noinline)) int library_guarded(void) { return guarded; }
