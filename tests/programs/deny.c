// Runs a program in a sandbox in which one kind of system call fails, as
// container runtimes and service managers arrange it:
//   deny CALL ERROR PROGRAM [ARGUMENT...]
// CALL is a number, or 0xff000000 for every mmap of 4 GiB and more.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LARGE_MMAP = 0xff000000 };

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  unsigned call = strtoul(argv[1], NULL, 0), error = strtoul(argv[2], NULL, 0);
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call == LARGE_MMAP ? SYS_mmap : call, 0, 3),
      // The upper half of the length.
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1]) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error & SECCOMP_RET_DATA)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
    perror("seccomp");
    return 125;
  }
  execv(argv[3], argv + 3);
  perror(argv[3]);
  return 126;
}
