#include "output/jsonl.h"
#include "output/stream_writer.h"
#include "output/writers.h"

namespace diffie::output {
namespace {

class JsonlWriter final : public StreamWriter {
 public:
  JsonlWriter(const WriterOptions& options, OutputFiles& files)
      : StreamWriter(files),
        with_source_(options.source || options.document_offsets),
        document_offsets_(options.document_offsets) {}

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    const JsonlSource source{document_, sentence.bytes, &sentence, document_offsets_};
    append_jsonl(out_, sentence.text, result, with_source_ ? &source : nullptr);
    flush();
  }

 private:
  bool with_source_;
  bool document_offsets_;
};

class TableWriter final : public StreamWriter {
 public:
  TableWriter(OutputFormat format, OutputFiles& files) : StreamWriter(files), format_(format) {}

  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    append_result(out_, format_, sentence.text, result);
    flush();
  }

 private:
  OutputFormat format_;
};

}  // namespace

std::unique_ptr<Writer> make_jsonl_writer(const WriterOptions& options, OutputFiles& files) {
  return std::make_unique<JsonlWriter>(options, files);
}

std::unique_ptr<Writer> make_tsv_writer(const WriterOptions& /*options*/, OutputFiles& files) {
  return std::make_unique<TableWriter>(OutputFormat::kTsv, files);
}

std::unique_ptr<Writer> make_carb_writer(const WriterOptions& /*options*/, OutputFiles& files) {
  return std::make_unique<TableWriter>(OutputFormat::kCarb, files);
}

}  // namespace diffie::output
