// A small signalling server in the style of "Fault Detection in Multi-Threaded
// C++ Server Applications": a thread for each request, requests of several
// classes that are registered, looked at by a monitor and deleted, texts that
// share their characters and count how often, all behind locks. Two mistakes
// are real: a statistic nobody guards, and a reference returned from under a
// lock.
//
// The argument is the test case: which requests come in, and how many.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <pthread.h>

#include "invisible.h"

namespace {

// Characters that copies share until nobody needs them.
class Text {
  struct Shared {
    std::atomic<int> users;
    int length;
    char characters[32];
  };
  Shared *shared;

 public:
  explicit Text(const char *characters) : shared(new Shared) {
    shared->users = 1;
    shared->length = int(strlen(characters));
    memcpy(shared->characters, characters, shared->length + 1);
  }
  Text(const Text &other) : shared(other.shared) {
    // One who shares with nobody could be told apart without a locked
    // instruction: the counter is read first, as an ordinary number.
    if (*reinterpret_cast<volatile int *>(&shared->users) > 0) shared->users.fetch_add(1);
  }
  Text &operator=(const Text &) = delete;
  ~Text() {
    if (shared->users.fetch_sub(1) == 1) delete shared;
  }
  int length() const { return shared->length; }
};

// What goes over the wire.
class Message {
 public:
  explicit Message(const Text &from) : from(from) {}
  virtual ~Message() { state = -1; }
  virtual int work() = 0;
  void touch() { looks += 1; }
  int state = 0, looks = 0;
  Text from;
};
class Request : public Message {
 public:
  using Message::Message;
  ~Request() override { route = -1; }
  int route = 0;
};
class Invite : public Request {
 public:
  using Request::Request;
  ~Invite() override { session = -1; }
  int work() override { return session = from.length(); }
  int session = 0;
};
class Register : public Request {
 public:
  using Request::Request;
  ~Register() override { expires = -1; }
  int work() override { return expires = from.length() * 2; }
  int expires = 0;
};
class Options : public Message {
 public:
  using Message::Message;
  int work() override { return from.length() * 3; }
};

std::mutex registry_lock;
std::map<int, Message *> registry;
int registry_next;

std::mutex domains_lock;
std::vector<int> domains(8);

int handled;  // guarded by nothing

std::vector<int> &get_domains() {
  std::lock_guard<std::mutex> guard(domains_lock);
  return domains;
}

const Text server_name("sip.example.org");

struct Work {
  Message *message;
  int number, turn;
};

// Does what a request wants.
void serve(Work &work) {
  Text name = server_name;
  int result;
  {
    std::lock_guard<std::mutex> guard(registry_lock);
    result = work.message->work() + name.length();
    work.message->state = 1;
  }
  get_domains()[result % 8] += 1;
  handled += 1;
}

// Handles one request and forgets it.
void *handle(void *argument) {
  std::unique_ptr<Work> work(static_cast<Work *>(argument));
  wait_for_step(work->turn);
  serve(*work);
  take_step();
  wait_for_step(work->turn + 2);
  {
    std::lock_guard<std::mutex> guard(registry_lock);
    registry.erase(work->number);
  }
  delete work->message;
  take_step();
  return nullptr;
}

// Looks at all requests that are there.
void look() {
  Text name = server_name;
  std::lock_guard<std::mutex> guard(registry_lock);
  for (auto &entry : registry) {
    entry.second->touch();
    if (entry.second->state > name.length()) abort();
  }
}
void *monitor(void *argument) {
  wait_for_step(*static_cast<int *>(argument));
  look();
  take_step();
  return nullptr;
}

Message *make(char kind) {
  Text from("somebody@example.org");
  switch (kind) {
    case 'i': return new Invite(from);
    case 'r': return new Register(from);
    default: return new Options(from);
  }
}

}  // namespace

int main(int argc, char **argv) {
  static const char *const cases[] = {"i", "r", "o", "io", "ri", "iro", "iiii", "irooiroi"};
  const char *requests = cases[(argc > 1 ? atoi(argv[1]) - 1 : 0) & 7];
  // All threads are there from the start; one after the other has its turn.
  std::vector<pthread_t> threads;
  std::vector<int> looks(strlen(requests));
  for (size_t i = 0; i < looks.size(); ++i) {
    Message *message = make(requests[i]);
    int number, turn = int(i) * 3;
    {
      std::lock_guard<std::mutex> guard(registry_lock);
      number = registry_next++;
      registry[number] = message;
    }
    looks[i] = turn + 1;
    pthread_t thread;
    pthread_create(&thread, nullptr, handle, new Work{message, number, turn});
    threads.push_back(thread);
    pthread_create(&thread, nullptr, monitor, &looks[i]);
    threads.push_back(thread);
  }
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return 0;
}
