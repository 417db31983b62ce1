// expect: none
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

// One thread asks another process, another thread gets the answer.
int payload;
int ends[2];

NOINLINE static void answer(void) {
  char question;
  close(ends[0]);
  while (read(ends[1], &question, 1) == 1)
    if (write(ends[1], "!", 1) != 1) abort();
  _exit(0);
}
NOINLINE static void ask(void) {
  payload = 42;
  if (write(ends[0], "?", 1) != 1) abort();
}
NOINLINE static void listen_to(void) {
  char answered;
  if (read(ends[0], &answered, 1) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) abort();
  pid_t child = fork();
  if (child == 0) answer();
  close(ends[1]);
  run_two(ask, listen_to);
  close(ends[0]);
  waitpid(child, NULL, 0);
}
