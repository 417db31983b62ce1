// Throws through the C++ library's own frames and uses its out-of-line parts.
#include <algorithm>
#include <iostream>
#include <locale>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

int main() {
    int caught = 0;
    for (int i = 0; i < 1000; i++) {
        try {
            std::string("short").at(100 + i);
        } catch (const std::out_of_range &e) {
            caught += e.what()[0] == 'b';
        }
        try {
            std::vector<int> v;
            v.at(i);
        } catch (const std::exception &) {
            caught++;
        }
        try {
            std::istringstream in("text");
            in.exceptions(std::ios::failbit);
            int n;
            in >> n;
        } catch (const std::ios_base::failure &) {
            caught++;
        }
    }
    std::map<std::string, double> numbers;
    for (int i = 0; i < 500; i++) {
        std::ostringstream name;
        name << "key" << i * 37 % 500 << std::hex << i;
        numbers[name.str()] = i / 7.0;
    }
    std::string all;
    for (auto &[key, value] : numbers)
        all += key + '=' + std::to_string(value) + ' ';
    std::cout << caught << ' ' << all.size() << ' ' << std::hash<std::string>()(all) << std::endl;
    std::cout << std::fixed << 3.25 << ' ' << std::scientific << 1e100 << std::endl;
    return 0;
}
