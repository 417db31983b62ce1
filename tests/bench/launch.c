/* launch RESULT SECONDS PROGRAM ARGUMENT...
 *
 * Runs PROGRAM, killed after SECONDS, and writes to the file RESULT:
 *
 *   user-microseconds system-microseconds peak-rss-kilobytes wait-status
 *
 * Why a program of its own: the kernel counts the memory of the process that
 * called exec towards the peak of the program it starts. This one is linked
 * statically and touches almost nothing, so what it adds is below what any
 * dynamically linked program uses. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t child;

static void give_up(int number) {
  (void)number;
  if (child > 0) kill(-child, SIGKILL);
}

static long long microseconds(struct timeval time) {
  return (long long)time.tv_sec * 1000000 + time.tv_usec;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fputs("usage: launch RESULT SECONDS PROGRAM ARGUMENT...\n", stderr);
    return 2;
  }
  child = fork();
  if (child < 0) {
    perror("launch: fork");
    return 2;
  }
  if (child == 0) {
    setpgid(0, 0);
    execvp(argv[3], argv + 3);
    fprintf(stderr, "launch: %s: %s\n", argv[3], strerror(errno));
    _exit(127);
  }
  setpgid(child, child);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = give_up;
  sigaction(SIGALRM, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  alarm((unsigned)strtoul(argv[2], NULL, 10));

  int status = 0;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) {
      perror("launch: wait4");
      return 2;
    }
  }
  FILE *result = fopen(argv[1], "w");
  if (result == NULL) {
    perror(argv[1]);
    return 2;
  }
  fprintf(result, "%lld %lld %ld %d\n", microseconds(usage.ru_utime),
          microseconds(usage.ru_stime), usage.ru_maxrss, status);
  return fclose(result) == 0 ? 0 : 2;
}
