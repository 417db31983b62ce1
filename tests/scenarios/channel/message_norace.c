// expect: none
// also: c++
#include <sys/socket.h>
#include <sys/uio.h>

#include "scenario.h"

int ends[2];
int payload;

NOINLINE static void sender(void) {
  payload = 1;
  char text = 'm';
  struct iovec part = {&text, 1};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (sendmsg(ends[1], &message, 0) != 1) abort();
}
NOINLINE static void receiver(void) {
  char text;
  struct iovec part = {&text, 1};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (recvmsg(ends[0], &message, 0) != 1) abort();
  CONSUME(payload);
}

int main(void) {
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends)) return 1;
  run_two(sender, receiver);
}
