// operator new and delete, guards of static locals, exceptions through libc.
#include "check.h"
#include <condition_variable>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct alignas(256) Aligned {
    char bytes[300];
};

template <class F> static bool throws_bad_alloc(F f)
{
    try {
        f();
        return false;
    } catch (const std::bad_alloc &) {
        return true;
    }
}

static int handler_calls;
static void handler()
{
    if (++handler_calls == 3)
        std::set_new_handler(nullptr);
}

static void out_of_memory()
{
    volatile std::size_t huge = std::size_t(1) << 46;
    auto aligned = std::align_val_t(64);
    CHECK(throws_bad_alloc([&] { ::operator delete(::operator new(huge)); }));
    CHECK(throws_bad_alloc([&] { ::operator delete[](::operator new[](huge)); }));
    CHECK(throws_bad_alloc([&] { ::operator delete(::operator new(huge, aligned), aligned); }));
    CHECK(::operator new(huge, std::nothrow) == nullptr);
    CHECK(::operator new[](huge, std::nothrow) == nullptr);
    CHECK(::operator new(huge, aligned, std::nothrow) == nullptr);
    std::set_new_handler(handler);
    CHECK(throws_bad_alloc([&] { ::operator delete(::operator new(huge)); }));
    CHECK(handler_calls == 3);
}

static int initialised, attempts;
struct Slow {
    Slow()
    {
        initialised++;
        std::this_thread::yield();
    }
    int value = 3;
};
static Slow &slow()
{
    static Slow instance;
    return instance;
}
struct Throwing {
    Throwing()
    {
        if (attempts++ < 2)
            throw std::runtime_error("not yet");
    }
};
static void try_it()
{
    static Throwing instance;
}

int main()
{
    out_of_memory();
    auto *one = new Aligned;
    CHECK((reinterpret_cast<std::uintptr_t>(one) & 255) == 0);
    delete one;
    delete[] new Aligned[3];
    delete[] new int[7];
    void *nothing = ::operator new(0);
    CHECK(nothing != nullptr);
    ::operator delete(nothing);

    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++)
        threads.emplace_back([] {
            CHECK(slow().value == 3);
            std::vector<std::string> strings;
            for (int j = 0; j < 500; j++)
                strings.push_back(std::string(j, 'x'));
        });
    for (auto &thread : threads)
        thread.join();
    CHECK(initialised == 1);

    for (int i = 0; i < 4; i++)
        try {
            try_it();
        } catch (const std::runtime_error &) {
        }
    CHECK(attempts == 3);

    std::once_flag flag;
    int runs = 0;
    for (int i = 0; i < 3; i++)
        try {
            std::call_once(flag, [&] {
                if (++runs < 2)
                    throw 1;
            });
        } catch (int) {
        }
    CHECK(runs == 2);

    auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("x"); });
    bool caught = false;
    try {
        failing.get();
    } catch (const std::runtime_error &) {
        caught = true;
    }
    CHECK(caught);

    std::mutex mutex;
    std::condition_variable cond;
    bool ready = false;
    std::thread waiting([&] {
        std::unique_lock<std::mutex> lock(mutex);
        cond.wait(lock, [&] { return ready; });
    });
    {
        std::lock_guard<std::mutex> lock(mutex);
        ready = true;
    }
    cond.notify_all();
    waiting.join();
    puts("ok");
}
