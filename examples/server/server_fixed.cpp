// The server without its bugs; look for "FIXED".
#include "http.hpp"

#include <atomic>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>
#include <thread>
#include <vector>

namespace {

// Who has been here, and how often.
class Sessions {
public:
    void visit(const std::string &user)
    {
        std::lock_guard<std::mutex> guard(mutex);
        visits[user]++;
    }

    // FIXED (returned reference): the caller gets a copy, made under the lock.
    std::map<std::string, int> all()
    {
        std::lock_guard<std::mutex> guard(mutex);
        return visits;
    }

private:
    std::mutex mutex;
    std::map<std::string, int> visits;
};

// What the server remembers of the last seconds.
struct Journal {
    long ticks = 0;
    ~Journal() { ticks = -1; }
};

class Server {
public:
    explicit Server(int threads)
    {
        // FIXED (order of initialisation): threads come last.
        greeting_length = 5;
        for (int i = 0; i < threads; i++)
            workers.emplace_back([this] { work(); });
        ticker = std::thread([this] { tick(); });
    }

    void submit(std::string text) { queue.put(std::move(text)); }
    Sessions &sessions() { return users; }

    void wait_for(int wanted)
    {
        std::unique_lock<std::mutex> guard(answers_mutex);
        answered.wait(guard, [&] { return answers >= wanted; });
    }

    void stop()
    {
        queue.close();
        for (std::thread &worker : workers)
            worker.join();
        stopping.store(true, std::memory_order_relaxed);
        // FIXED (order of termination): first the thread, then what it uses.
        ticker.join();
        journal.reset();
    }

private:
    void work()
    {
        const int length = greeting_length;
        while (auto text = queue.get()) {
            const Request request = parse(*text);
            users.visit(request.user);
            respond(request, length);
            {
                std::lock_guard<std::mutex> guard(answers_mutex);
                answers++;
            }
            answered.notify_one();
        }
    }

    void respond(const Request &request, int greeting)
    {
        const std::time_t now = std::time(nullptr);
        // FIXED (not thread-safe function): each call has its own buffer.
        std::tm today;
        localtime_r(&now, &today);
        std::string answer = "HTTP/1.0 200 OK\r\nYear: ";
        answer += std::to_string(1900 + today.tm_year) + "\r\n\r\n";
        answer += std::string("hello").substr(0, greeting) + ' ' + request.path;
        sent.fetch_add(answer.size(), std::memory_order_relaxed);
    }

    void tick()
    {
        do {
            journal->ticks++;
            std::this_thread::yield();
        } while (!stopping.load(std::memory_order_relaxed));
    }

    Queue queue;
    Sessions users;
    std::mutex answers_mutex;
    std::condition_variable answered;
    int answers = 0;
    std::atomic<size_t> sent{0};
    std::atomic<bool> stopping{false};
    std::optional<Journal> journal = Journal();
    int greeting_length = 0;
    std::vector<std::thread> workers;
    std::thread ticker;
};

} // namespace

int main()
{
    Server server(3);
    // Tells how far the server is, whenever the operator asks.
    std::thread console([&users = server.sessions()] {
        const std::time_t now = std::time(nullptr);
        std::tm today;
        localtime_r(&now, &today);
        std::printf("%d: %zu of 30 guests so far\n", 1900 + today.tm_year, users.all().size());
    });
    for (int i = 0; i < 30; i++)
        server.submit("GET /page HTTP/1.0\r\nUser: guest " + std::to_string(i) + "\r\n\r\n");

    server.wait_for(30);
    server.stop();
    console.join();
}
