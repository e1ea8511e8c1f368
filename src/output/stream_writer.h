// What writers of one stream have in common.
#pragma once

#include <string>

#include "diffie/output.h"

namespace diffie::output {

class StreamWriter : public Writer {
 public:
  explicit StreamWriter(OutputFiles& files) : files_(files) {}

  void begin_document(std::string_view id) override { document_ = id; }
  void end_document(std::string_view /*rest*/) override {}
  void finish() override {}

 protected:
  void flush() {
    if (!out_.empty()) files_.write("", out_);
    out_.clear();
  }

  std::string document_;  // id of the one that is under way
  std::string out_;       // not yet written

 private:
  OutputFiles& files_;
};

}  // namespace diffie::output
