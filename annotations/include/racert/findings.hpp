// racert/findings.hpp: the findings of a stretch of time, with their reports.
//
// What racert/gtest.h and racert/catch2.h have in common; for other frameworks:
//
//     racert::Findings findings;
//     run_the_test();
//     for (const std::string &report : findings.take()) ...
#ifndef RACERT_FINDINGS_HPP
#define RACERT_FINDINGS_HPP

#include <mutex>
#include <string>
#include <vector>

#include <racert/api.h>

namespace racert {

/// Collects the reports of findings that change the exit status. There can be
/// one at a time.
class Findings {
public:
  Findings() { racert_on_finding(&Findings::found, this); }
  ~Findings() { racert_on_finding(nullptr, nullptr); }
  Findings(const Findings &) = delete;
  Findings &operator=(const Findings &) = delete;

  /// The reports since the last call.
  std::vector<std::string> take() {
    std::lock_guard<std::mutex> lock(guard_);
    std::vector<std::string> taken;
    taken.swap(reports_);
    return taken;
  }

private:
  static void found(const racert_finding *finding, void *self) {
    if (!finding->fails)
      return;
    Findings *findings = static_cast<Findings *>(self);
    std::lock_guard<std::mutex> lock(findings->guard_);
    findings->reports_.push_back(finding->text);
  }

  std::mutex guard_;
  std::vector<std::string> reports_;
};

} // namespace racert

#endif
