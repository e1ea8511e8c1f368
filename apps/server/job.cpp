#include "job.h"

#include <utility>

#include "sentence_cutter.h"

namespace diffie::server {
namespace {

// As `diffie extract` cuts it, byte-order mark and endless paragraphs too. The text is UTF-8.
std::vector<Span> sentences_of(const std::string& text) {
  cli::Diagnostics unused;
  cli::SentenceCutter cutter(cli::InputMode::kDocuments, unused);
  std::deque<cli::InputStep> steps;
  cutter.begin({}, nullptr, steps);
  cutter.buffer() = text;
  cutter.end(steps);
  std::vector<Span> spans;
  for (const cli::InputStep& step : steps) {
    if (step.kind == cli::InputStep::Kind::kSentence) spans.push_back(step.bytes);
  }
  return spans;
}

}  // namespace

Job::Job(ExtractRequest request, std::shared_ptr<const Extractor> extractor, const Origin& origin,
         std::size_t max_bytes)
    : documents_(std::move(request.documents)), extractor_(std::move(extractor)) {
  WriterOptions options = request.writer;
  if (!request.running_text) {  // sentences of one document without a name, a line each
    options.source = false;
    std::string lines;
    std::vector<Span> spans;
    for (const InputDocument& sentence : documents_) {
      spans.push_back({lines.size(), lines.size() + sentence.text.size()});
      lines += sentence.text + "\n";
    }
    documents_.assign(1, {"", std::move(lines)});
    add_sentences(0, spans);
  } else {
    for (std::size_t index = 0; index < documents_.size(); ++index)
      add_sentences(index, sentences_of(documents_[index].text));
  }
  results_.resize(sentences_.size());
  body_ = std::make_unique<AnswerBody>(request.format, options, origin, max_bytes);
  if (sentences_.empty()) write_ready();
}

void Job::add_sentences(std::size_t document, const std::vector<Span>& spans) {
  const std::string_view text = documents_[document].text;
  std::size_t done = 0;
  std::size_t characters = 0;
  for (std::size_t index = 0; index < spans.size(); ++index) {
    Place& place = sentences_.emplace_back();
    place.document = document;
    DocumentSentence& sentence = place.sentence;
    sentence.text = text.substr(spans[index].begin, spans[index].end - spans[index].begin);
    sentence.index = index;
    sentence.bytes = spans[index];
    sentence.gap = text.substr(done, spans[index].begin - done);
    sentence.character = characters + cli::count_characters(sentence.gap);
    characters = sentence.character + cli::count_characters(sentence.text);
    done = spans[index].end;
  }
  rests_.push_back(text.substr(done));
}

void Job::complete(std::size_t index, SentenceResult result) {
  num_triples_ += result.extractions.size();
  bool is_news = false;
  {
    const std::lock_guard lock(mutex_);
    results_[index] = std::move(result);
    const bool was_done = done_;
    const std::size_t before = next_;
    if (!done_) write_ready();
    is_news = done_ ? !was_done : next_ != before && body_->streamed();
  }
  wake(is_news);
}

void Job::fail(const HttpError& error) {
  bool is_news = false;
  {
    const std::lock_guard lock(mutex_);
    is_news = !std::exchange(done_, true);
    if (is_news) error_ = error;
  }
  wake(is_news);
}

// Who came meanwhile went away with nothing.
void Job::wake(bool is_news) {
  if (was_busy_.exchange(false) || is_news) wake_();
}

Job::Progress Job::take() {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) {
    was_busy_ = true;
    if (!lock.try_lock()) return {};
  }
  return {body_->take(), done_, error_};
}

// Documents that end before this one are ended, those up to it begun.
void Job::begin_documents(std::size_t end) {
  for (; next_document_ < end; ++next_document_) {
    if (next_document_ > 0) body_->writer().end_document(rests_[next_document_ - 1]);
    body_->writer().begin_document(documents_[next_document_].id);
  }
}

// Writes the sentences that are done up to the first that is not.
void Job::write_ready() {
  try {
    for (; next_ < sentences_.size() && results_[next_]; ++next_) {
      const Place& place = sentences_[next_];
      begin_documents(place.document + 1);
      body_->writer().add(place.sentence, *results_[next_]);
      results_[next_].reset();
    }
    if (next_ < sentences_.size()) return;
    begin_documents(documents_.size());
    if (!documents_.empty()) body_->writer().end_document(rests_.back());
    body_->writer().finish();
    body_->finish();
  } catch (const std::exception& error) {
    error_ = to_http_error(error, "format");
  }
  done_ = true;
}

}  // namespace diffie::server
