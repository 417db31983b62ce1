// expect: none
// also: c++
#include "scenario.h"

pthread_key_t key;
int shared;

static void destroy(void *unused) {
  (void)unused;
  shared += 1;
}
static void *set_key(void *unused) {
  pthread_setspecific(key, &shared);
  return unused;
}

int main(void) {
  pthread_key_create(&key, destroy);
  for (int i = 0; i < 10; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, set_key, NULL);
    pthread_join(thread, NULL);
    shared += 1;
  }
}
