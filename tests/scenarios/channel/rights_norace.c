// expect: none
// tsan: false alarm, it does not know that the two descriptors are one pipe
// flags: -D_GNU_SOURCE
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scenario.h"

// A pipe whose reading end comes through a socket.
int payload;
int sockets[2], ends[2];

static void pass_on(int to, int fd) {
  char room[CMSG_SPACE(sizeof fd)] = {0};
  struct iovec text = {(void *)"f", 1};
  struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  struct cmsghdr *control = CMSG_FIRSTHDR(&message);
  *control = (struct cmsghdr){CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(control), &fd, sizeof fd);
  if (sendmsg(to, &message, 0) != 1) abort();
}
static int be_passed(int from) {
  char room[CMSG_SPACE(sizeof(int))], byte;
  struct iovec text = {&byte, 1};
  struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  if (recvmsg(from, &message, 0) != 1) abort();
  int fd;
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return fd;
}

NOINLINE static void publish(void) {
  payload = 42;
  if (write(ends[1], "x", 1) != 1) abort();
}
NOINLINE static void use(void) {
  char byte;
  int fd = be_passed(sockets[1]);
  if (read(fd, &byte, 1) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) || pipe(ends)) abort();
  pass_on(sockets[0], ends[0]);
  run_two(publish, use);
}
