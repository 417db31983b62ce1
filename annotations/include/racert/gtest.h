// racert/gtest.h: a test of GoogleTest fails if racert found something while
// it ran.
//
//     #include <racert/gtest.h>
//     int main(int argc, char **argv) {
//       testing::InitGoogleTest(&argc, argv);
//       racert::listen();
//       return RUN_ALL_TESTS();
//     }
//
// With GoogleTest's own main, define RACERT_GTEST_LISTEN before the #include
// in one of the test's files. Without racert in the program nothing happens.
#ifndef RACERT_GTEST_H
#define RACERT_GTEST_H

#include <gtest/gtest.h>

#include <racert/findings.hpp>

namespace racert {

/// Makes a finding a failure of the test that ran.
class GoogleTestListener : public testing::EmptyTestEventListener {
public:
  void OnTestStart(const testing::TestInfo &) override {
    // What a thread left over from the test before did is not this one's.
    report("between tests");
  }

  void OnTestEnd(const testing::TestInfo &) override { report("in this test"); }

  void OnTestProgramEnd(const testing::UnitTest &) override {
    report("outside of tests");
  }

private:
  void report(const char *when) {
    for (const std::string &text : findings_.take())
      ADD_FAILURE() << "racert found something " << when << ":\n" << text;
  }

  Findings findings_;
};

/// Adds the listener; GoogleTest owns it.
inline void listen() {
  if (racert_is_there())
    testing::UnitTest::GetInstance()->listeners().Append(new GoogleTestListener);
}

} // namespace racert

#ifdef RACERT_GTEST_LISTEN
namespace {
const bool racert_listens = (racert::listen(), true);
}
#endif

#endif
