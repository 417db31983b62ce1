// Sets a flag and a payload for a loop of another file, by pointers that say
// nothing of what they point to.
void set_elsewhere(int *flag, int *payload) {
  *payload = 42;
  *flag = 1;
}
void set_early_elsewhere(int *flag, int *payload) {
  *flag = 1;
  *payload = 42;
}
void set_twice_elsewhere(volatile int *flag, int *payload) {
  *flag = 0;
  *payload = 42;
  *flag = 1;
}
void set_atomic_elsewhere(int *flag, int *payload) {
  *payload = 42;
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}
void set_atomic_twice_elsewhere(int *flag, int *payload) {
  __atomic_store_n(flag, 0, __ATOMIC_RELAXED);
  *payload = 42;
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}
