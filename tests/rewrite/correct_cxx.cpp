// What the C++ library shares among threads by itself: locales, streams, error
// categories, exceptions, shared pointers, futures, memory resources.
#include "many.h"
#include <atomic>
#include <future>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

static std::mutex mutex;
static std::shared_mutex shared_mutex;
static std::map<std::string, std::string> table;
static std::shared_ptr<std::string> text = std::make_shared<std::string>("shared by all of them");
static std::atomic<long> sum;
static std::once_flag once;

static const std::string &made_at_first() {
    static const std::string value(100, 'v');
    return value;
}

static void *work(void *argument) {
    for (int i = 0; i < 50; i++) {
        std::ostringstream out;
        out << std::setw(8) << i << ' ' << std::fixed << i / 3.0 << ' ' << std::boolalpha << true;
        std::istringstream in(out.str());
        int number = 0;
        in >> number;
        sum += number;
        std::locale local(std::locale::classic(), new std::numpunct<char>);
        out.imbue(local);
        out << 1234567 << std::put_money("100");
        try {
            if (i % 2)
                throw std::system_error(std::make_error_code(std::errc::timed_out));
            throw std::runtime_error(made_at_first());
        } catch (const std::exception &e) {
            out << e.what();
        }
        std::shared_ptr<std::string> copy = text;
        std::weak_ptr<std::string> weak = copy;
        out << *weak.lock();
        std::call_once(once, [] { sum += 1; });
        {
            std::lock_guard<std::mutex> lock(mutex);
            table[std::to_string(i)] = out.str();
        }
        {
            std::shared_lock<std::shared_mutex> lock(shared_mutex);
            sum += static_cast<long>(text->size());
        }
    }
    std::promise<std::string> promise;
    std::future<std::string> future = promise.get_future();
    std::thread other([&] { promise.set_value(*text + "!"); });
    if (future.get().back() != '!')
        abort();
    other.join();
    return argument;
}

int main() {
    many(work);
    std::cout << table.size() << std::endl;
    return 0;
}
