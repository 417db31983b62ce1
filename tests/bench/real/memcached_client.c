/* memcached_client SOCKET: loads a memcached listening on a local socket from
 * four connections with sets and gets, then asks it to shut down. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 4, ROUNDS = 1500, PIPELINED = 20, REPLY = 1 << 16 };

static int attach(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  /* The server may need a while to start: up to 60 s. */
  for (int attempt = 0; attempt < 6000; attempt++) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) break;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  fprintf(stderr, "cannot connect to %s\n", path);
  exit(2);
}

static void send_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t sent = write(fd, bytes, length);
    if (sent <= 0) {
      perror("write");
      exit(2);
    }
    bytes += sent;
    length -= (size_t)sent;
  }
}

/* Reads until `count` answers have ended, each with the line `last`. */
static void await(int fd, const char *last, int count) {
  static char reply[REPLY];
  size_t have = 0, seen = 0;
  size_t length = strlen(last);
  while (count > 0) {
    ssize_t got = read(fd, reply + have, REPLY - have);
    if (got <= 0) {
      fprintf(stderr, "the server hung up\n");
      exit(2);
    }
    have += (size_t)got;
    for (; seen + length <= have; seen++) {
      if (memcmp(reply + seen, last, length) == 0) count--;
    }
    if (have == REPLY) {
      size_t keep = have - seen;
      memmove(reply, reply + seen, keep);
      have = keep;
      seen = 0;
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: memcached_client SOCKET\n");
    return 2;
  }
  int fds[CONNECTIONS];
  for (int i = 0; i < CONNECTIONS; i++) fds[i] = attach(argv[1]);
  static char request[REPLY];
  for (int round = 0; round < ROUNDS; round++) {
    int set = round % 4 == 0;
    for (int i = 0; i < CONNECTIONS; i++) {
      size_t at = 0;
      for (int k = 0; k < PIPELINED; k++) {
        int key = (round / 4 * PIPELINED + k) * 13 % 2000 + (set ? 0 : i * 7);
        if (set) {
          at += (size_t)snprintf(request + at, REPLY - at, "set key%d 0 0 100\r\n%0100d\r\n", key, key);
        } else {
          at += (size_t)snprintf(request + at, REPLY - at, "get key%d\r\n", key);
        }
      }
      send_all(fds[i], request, at);
    }
    for (int i = 0; i < CONNECTIONS; i++) await(fds[i], set ? "STORED\r\n" : "END\r\n", PIPELINED);
  }
  send_all(fds[0], "shutdown\r\n", 10);
  return 0;
}
