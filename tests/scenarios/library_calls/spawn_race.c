// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin -D_GNU_SOURCE
// names: #0 posix_spawn (, #0 posix_spawnp (, #0 posix_spawn_file_actions_init (, #0 posix_spawn_file_actions_addclose (, #0 posix_spawn_file_actions_adddup2 (, #0 posix_spawn_file_actions_addopen (, #0 posix_spawnattr_setflags (, #0 posix_spawnattr_init (, #0 posix_spawnattr_setsigmask (, #0 system (
// reports: any
// tsan: skip, it does not know all of the functions
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// What a process is to be like.
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
  a0[5] = 'T'; // here
  a1[0] = 'T'; // here
  a2[0] = NULL; // here
  CONSUME(a3); // here
  CONSUME(*(long *)&a4); // here
  posix_spawn_file_actions_addclose(&a5, 9); // here
  posix_spawn_file_actions_adddup2(&a6, 0, 9); // here
  posix_spawnattr_setflags(&a7, 0); // here
  *(long *)&a8 = 1; // here
  a9[0] = 't'; // here
}
NOINLINE static void reader(void) {
  posix_spawn(&(pid_t){0}, a0, NULL, NULL, words, words + 1); // here
  posix_spawnp(&(pid_t){0}, "true", NULL, NULL, (char *[]){a1, NULL}, words + 1); // here
  posix_spawnp(&(pid_t){0}, "true", NULL, NULL, words, a2); // here
  posix_spawnp(&a3, "true", NULL, NULL, words, words + 1); // here
  posix_spawn_file_actions_init(&a4); // here
  posix_spawnp(&(pid_t){0}, "true", &a5, NULL, words, words + 1); // here
  posix_spawn_file_actions_addopen(&a6, 0, "/dev/null", 0, 0); // here
  posix_spawnattr_init(&a7); // here
  posix_spawnattr_setsigmask(&attributes, &a8); // here
  CONSUME(system(a9)); // here
}

int main(void) {
  posix_spawn_file_actions_init(&a5);
  posix_spawn_file_actions_init(&a6);
  posix_spawnattr_init(&attributes);
  run_accesses(run_two, writer, reader);
}
