// The library that the dlopen scenarios load.
static int plugin_counter;

__attribute__((noinline)) void plugin_count(void) { plugin_counter += 1; }
