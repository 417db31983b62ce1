// expect: data race
// flags: {pkg:grpc++}
// needs: grpcpp/alarm.h
// names: value
#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>
#include <thread>

#include "scenario.h"

// Changed after the operation has begun.
int value;

int main() {
  grpc::CompletionQueue queue;
  std::thread told([&queue] {
    void *tag;
    bool well;
    if (!queue.Next(&tag, &well)) abort();
    CONSUME(value); // here
    take_step();
  });
  grpc::Alarm alarm;
  alarm.Set(&queue, std::chrono::system_clock::now(), &queue);
  wait_for_step(1);
  value = 1; // here
  told.join();
  queue.Shutdown();
}
