// The parts of the server that are right in both versions: requests, and the
// queue through which the workers get them.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>

struct Request {
    std::string method, path, user;
};

// "GET /index.html HTTP/1.0\r\nUser: ada\r\n\r\n"
inline Request parse(const std::string &text)
{
    std::istringstream lines(text);
    Request request;
    std::string version, line;
    lines >> request.method >> request.path >> version;
    std::getline(lines, line);
    while (std::getline(lines, line) && line != "\r") {
        if (line.rfind("User: ", 0) == 0)
            request.user = line.substr(6, line.find('\r') - 6);
    }
    return request;
}

class Queue {
public:
    void put(std::string text)
    {
        {
            std::lock_guard<std::mutex> guard(mutex);
            waiting.push_back(std::move(text));
        }
        filled.notify_one();
    }

    // Nothing comes after the queue is closed and empty.
    std::optional<std::string> get()
    {
        std::unique_lock<std::mutex> guard(mutex);
        filled.wait(guard, [this] { return closed || !waiting.empty(); });
        if (waiting.empty())
            return std::nullopt;
        std::string text = std::move(waiting.front());
        waiting.pop_front();
        return text;
    }

    void close()
    {
        {
            std::lock_guard<std::mutex> guard(mutex);
            closed = true;
        }
        filled.notify_all();
    }

private:
    std::mutex mutex;
    std::condition_variable filled;
    std::deque<std::string> waiting;
    bool closed = false;
};
