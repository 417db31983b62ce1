// expect: none
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// What a process is to be like.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *words[] = {(char *)"program", NULL};
posix_spawnattr_t attributes;
char a0[16] = "/bin/true";
char a1[8] = "true";
char *a2[2];
pid_t a3;
posix_spawn_file_actions_t a4;
posix_spawn_file_actions_t a5;
posix_spawn_file_actions_t a6;
posix_spawnattr_t a7;
sigset_t a8;
char a9[8] = "true";

NOINLINE static void writer(void) {
  pthread_mutex_lock(&mutex);
  a0[5] = 'T';
  a1[0] = 'T';
  a2[0] = NULL;
  CONSUME(a3);
  CONSUME(*(long *)&a4);
  posix_spawn_file_actions_addclose(&a5, 9);
  posix_spawn_file_actions_adddup2(&a6, 0, 9);
  posix_spawnattr_setflags(&a7, 0);
  *(long *)&a8 = 1;
  a9[0] = 't';
  pthread_mutex_unlock(&mutex);
}
NOINLINE static void reader(void) {
  pthread_mutex_lock(&mutex);
  posix_spawn(&(pid_t){0}, a0, NULL, NULL, words, words + 1);
  posix_spawnp(&(pid_t){0}, "true", NULL, NULL, (char *[]){a1, NULL}, words + 1);
  posix_spawnp(&(pid_t){0}, "true", NULL, NULL, words, a2);
  posix_spawnp(&a3, "true", NULL, NULL, words, words + 1);
  posix_spawn_file_actions_init(&a4);
  posix_spawnp(&(pid_t){0}, "true", &a5, NULL, words, words + 1);
  posix_spawn_file_actions_addopen(&a6, 0, "/dev/null", 0, 0);
  posix_spawnattr_init(&a7);
  posix_spawnattr_setsigmask(&attributes, &a8);
  CONSUME(system(a9));
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  posix_spawn_file_actions_init(&a5);
  posix_spawn_file_actions_init(&a6);
  posix_spawnattr_init(&attributes);
  run_accesses(run_two, writer, reader);
}
