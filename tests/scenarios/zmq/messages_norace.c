// expect: none
// orders: copied message given-back counter
// also: c++
// flags: {pkg:libzmq}
// needs: zmq.h
// tsan: false alarm, ZeroMQ is not instrumented
// What one thread makes known to another by a message, and by counting down.
#include <zmq.h>

#include "zmq/sockets.h"

static void *counter;
int payload, other;

// The last one to count sees what both have done.
NOINLINE static void count_down(int *own) {
  *own = 1;
  if (zmq_atomic_counter_dec(counter) == 0) CONSUME(payload + other);
}

NOINLINE static void give_back(void *data, void *hint) {
  (void)hint;
  *(char *)data = 0;
  free(data);
}

NOINLINE static void *receive(void *unused) {
  void *socket = receiving_end();
  zmq_msg_t message;
  zmq_msg_init(&message);
  if (ordered("counter")) {
    count_down(&other);
  } else if (ordered("copied")) {
    char byte;
    zmq_recv(socket, &byte, 1, 0);
    CONSUME(payload);
  } else {
    zmq_msg_recv(&message, socket, 0);
    CONSUME(payload + *(char *)zmq_msg_data(&message));
  }
  zmq_msg_close(&message);
  zmq_close(socket);
  return unused;
}

int main(void) {
  void *socket = sending_end();
  counter = zmq_atomic_counter_new();
  zmq_atomic_counter_set(counter, 2);
  pthread_t thread;
  pthread_create(&thread, NULL, receive, NULL);
  if (ordered("counter")) {
    count_down(&payload);
  } else {
    payload = 1;
    zmq_msg_t message;
    if (ordered("given-back")) {
      zmq_msg_init_data(&message, calloc(1, 100), 100, give_back, NULL);
    } else {
      zmq_msg_init_size(&message, 100);
      memset(zmq_msg_data(&message), 1, 100);
    }
    if (ordered("copied"))
      zmq_send(socket, "x", 1, 0);
    else
      zmq_msg_send(&message, socket, 0);
  }
  pthread_join(thread, NULL);
  finish(socket);
  zmq_atomic_counter_destroy(&counter);
}
