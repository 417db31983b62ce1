// The bank with an audit that locks, too.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Account {
public:
    explicit Account(long balance) : balance_(balance) {}

    void add(long amount)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        balance_ += amount;
    }

    long balance() const
    {
        std::lock_guard<std::mutex> guard(mutex_);
        return balance_;
    }

private:
    mutable std::mutex mutex_;
    long balance_;
};

void transfer(Account &from, Account &to, int times)
{
    for (int i = 0; i < times; i++) {
        from.add(-1);
        to.add(1);
    }
}

long audit(const std::vector<Account *> &accounts)
{
    long sum = 0;
    for (const Account *account : accounts)
        sum += account->balance();
    return sum;
}

} // namespace

int main()
{
    Account alice(1000), bob(1000);
    std::vector<Account *> accounts{&alice, &bob};

    std::thread clerk([&] { transfer(alice, bob, 500); });
    std::thread auditor([&] { std::printf("audit: %ld\n", audit(accounts)); });
    clerk.join();
    auditor.join();
    std::printf("at the end: %ld\n", audit(accounts));
    return 0;
}
