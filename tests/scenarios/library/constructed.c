// The library of the scenarios about what loading and unloading order. What is
// written is nothing that the compiler could work out.
int library_filled, library_used;

__attribute__((constructor)) static void fill(void) {
  int value = 42;
  __asm__("" : "+r"(value));
  library_filled = value;
}

__attribute__((destructor)) static void empty(void) { library_used = 0; }

__attribute__((noinline)) int library_look(void) { return library_filled; }
__attribute__((noinline)) void library_use(void) { library_used = 1; }
