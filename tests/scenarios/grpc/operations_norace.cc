// expect: none
// flags: {pkg:grpc++}
// needs: grpcpp/alarm.h
// tsan: false alarm, gRPC is not instrumented
#include <condition_variable>
#include <grpcpp/alarm.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <mutex>
#include <thread>

#include "scenario.h"

// What begins an operation comes before what is told that it has ended: by a
// queue, or by a callback in one of gRPC's threads.
enum { ROUNDS = 20 };

static int data, seen;

static void by_queue() {
  grpc::CompletionQueue queue;
  std::thread told([&queue] {
    void *tag;
    bool well;
    while (queue.Next(&tag, &well)) seen += *static_cast<int *>(tag);
  });
  grpc::Alarm alarm;
  data = 1;
  alarm.Set(&queue, std::chrono::system_clock::now(), &data);
  queue.Shutdown();
  told.join();
}

static void by_callback(const std::shared_ptr<grpc::Channel> &channel) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  grpc::Slice text("ask");
  grpc::ByteBuffer request(&text, 1), response;
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  int result = 0;
  data = 2;
  stub.UnaryCall(&context, "/nowhere/nothing", grpc::StubOptions(), &request, &response,
                 [&](const grpc::Status &status) {
                   result = data + !status.ok();
                   std::lock_guard<std::mutex> guard(mutex);
                   ended = true;
                   changed.notify_one();
                 });
  std::unique_lock<std::mutex> guard(mutex);
  while (!ended) changed.wait(guard);
  if (result != 3) abort();
}

int main() {
  auto channel = grpc::CreateChannel("127.0.0.1:1", grpc::InsecureChannelCredentials());
  for (int round = 0; round < ROUNDS; round++) {
    by_queue();
    by_callback(channel);
  }
  if (seen != ROUNDS) abort();
}
