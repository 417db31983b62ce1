// expect: data race
// orders: copied message
// also: c++
// names: payload
// flags: {pkg:libzmq}
// needs: zmq.h
// What is changed after the message was sent.
#include <zmq.h>

#include "zmq/sockets.h"

int payload;

NOINLINE static void *receive(void *unused) {
  void *socket = receiving_end();
  zmq_msg_t message;
  zmq_msg_init(&message);
  char byte;
  if (ordered("copied"))
    zmq_recv(socket, &byte, 1, 0);
  else
    zmq_msg_recv(&message, socket, 0);
  wait_for_step(1);
  CONSUME(payload); // here
  zmq_msg_close(&message);
  zmq_close(socket);
  return unused;
}

int main(void) {
  void *socket = sending_end();
  pthread_t thread;
  pthread_create(&thread, NULL, receive, NULL);
  zmq_msg_t message;
  zmq_msg_init_size(&message, 100);
  if (ordered("copied"))
    zmq_send(socket, "x", 1, 0);
  else
    zmq_msg_send(&message, socket, 0);
  payload = 2; // here
  take_step();
  pthread_join(thread, NULL);
  finish(socket);
}
