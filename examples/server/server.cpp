// A server with a pool of threads and four bugs that tests do not show. Look
// for "BUG"; server_fixed.cpp has the same program without them.
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

    // BUG (returned reference): the lock is held here, but given back before
    // the caller looks at the map.
    const std::map<std::string, int> &all()
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
        for (int i = 0; i < threads; i++)
            workers.emplace_back([this] { work(); });
        ticker = std::thread([this] { tick(); });
        // BUG (order of initialisation): the workers are running already.
        greeting_length = 5;
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
        // BUG (order of termination): the thread that uses it still runs.
        journal.reset();
        ticker.join();
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
        // BUG (not thread-safe function): all calls share one buffer.
        const std::tm *today = std::localtime(&now);
        std::string answer = "HTTP/1.0 200 OK\r\nYear: ";
        answer += std::to_string(1900 + today->tm_year) + "\r\n\r\n";
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
    std::thread console([&visits = server.sessions().all()] {
        const std::time_t now = std::time(nullptr);
        const int year = 1900 + std::localtime(&now)->tm_year;
        std::printf("%d: %zu of 30 guests so far\n", year, visits.size());
    });
    for (int i = 0; i < 30; i++)
        server.submit("GET /page HTTP/1.0\r\nUser: guest " + std::to_string(i) + "\r\n\r\n");

    server.wait_for(30);
    server.stop();
    console.join();
}
