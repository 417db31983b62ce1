// racert/catch2.h: a test of Catch2 (2 or 3) fails if racert found something
// while it ran.
//
// Include it in one file of the test program; with Catch2 2 that is the one
// with CATCH_CONFIG_MAIN or CATCH_CONFIG_RUNNER, after catch.hpp. Without
// racert in the program nothing happens.
#ifndef RACERT_CATCH2_H
#define RACERT_CATCH2_H

#ifndef CATCH_VERSION_MAJOR
#if __has_include(<catch2/reporters/catch_reporter_event_listener.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_version_macros.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
#endif
#endif
namespace racert {
#if CATCH_VERSION_MAJOR >= 3
using CatchBase = Catch::EventListenerBase;
#else
using CatchBase = Catch::TestEventListenerBase;
#endif
} // namespace racert

#include <racert/findings.hpp>

namespace racert {

/// Makes a finding a failure of the test case that ran.
class CatchListener : public CatchBase {
public:
  template <typename Config>
  explicit CatchListener(const Config &config) : CatchBase(config) {}

  // A test case is a section, too: its end is the last moment at which an
  // assertion still belongs to it. Its assertions have been counted by then, and
  // reporters leave out sections without any.
  void sectionEnded(const Catch::SectionStats &stats) override {
    for (const std::string &text : findings_.take()) {
      FAIL_CHECK("racert found something in this test:\n" << text);
      ++const_cast<Catch::SectionStats &>(stats).assertions.failed;
    }
    CatchBase::sectionEnded(stats);
  }

private:
  Findings findings_;
};

CATCH_REGISTER_LISTENER(CatchListener)

} // namespace racert

#endif
