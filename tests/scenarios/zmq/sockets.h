// A pair of sockets, one for each thread.
#ifndef ZMQ_SOCKETS_H
#define ZMQ_SOCKETS_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

#include "scenario.h"

static void *context;

NOINLINE static void *sending_end(void) {
  context = zmq_ctx_new();
  void *socket = zmq_socket(context, ZMQ_PAIR);
  zmq_bind(socket, "inproc://pair");
  return socket;
}

NOINLINE static void *receiving_end(void) {
  void *socket = zmq_socket(context, ZMQ_PAIR);
  zmq_connect(socket, "inproc://pair");
  return socket;
}

NOINLINE static void finish(void *socket) {
  zmq_close(socket);
  zmq_ctx_term(context);
}

#endif
