#include <arrow/api.h>
#include <arrow/io/api.h>
#include <arrow/io/stdio.h>
#include <arrow/ipc/api.h>
#include <arrow/memory_pool.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>

#include <filesystem>
#include <functional>
#include <vector>

#include "arrow_check.h"
#include "tables.h"

namespace diffie::cli {
namespace {

using arrow::RecordBatch;

// The record batches of a file, one after the other; null at the end.
struct Batches {
  std::shared_ptr<arrow::Schema> schema;
  std::function<arrow::Result<std::shared_ptr<RecordBatch>>()> next;
  std::int64_t num_rows = 0;  // 0: not known
};

constexpr auto kBad = ErrorCode::kBadInput;
constexpr std::int64_t kBatchRows = 256;

// Sizes in a file are believed up to here: so much of all tables may be in memory at a time.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 31;

arrow::MemoryPool* bounded_memory() {
  static arrow::CappedMemoryPool pool(arrow::default_memory_pool(), kMaxBytes);
  return &pool;
}

arrow::ipc::IpcReadOptions ipc_options() {
  arrow::ipc::IpcReadOptions options = arrow::ipc::IpcReadOptions::Defaults();
  options.memory_pool = bounded_memory();
  return options;
}

// Only the columns that are wanted, page by page: a row group may be larger than memory.
Batches open_parquet(const std::string& path, const RowFields& fields) {
  auto file = check(arrow::io::ReadableFile::Open(path, bounded_memory()), path, kBad);
  parquet::ReaderProperties reader_properties(bounded_memory());
  reader_properties.enable_buffered_stream();
  parquet::ArrowReaderProperties arrow_properties(/*use_threads=*/false);
  arrow_properties.set_batch_size(kBatchRows);
  arrow_properties.set_pre_buffer(false);
  parquet::arrow::FileReaderBuilder builder;
  check(builder.Open(file, reader_properties), path, kBad);
  std::unique_ptr<parquet::arrow::FileReader> opened;
  check(builder.memory_pool(bounded_memory())->properties(arrow_properties)->Build(&opened), path,
        kBad);
  const std::shared_ptr<parquet::arrow::FileReader> reader = std::move(opened);

  std::vector<int> columns;
  const auto metadata = reader->parquet_reader()->metadata();
  for (const std::string& name : {fields.text, fields.id}) {
    const int column = metadata->schema()->ColumnIndex(name);
    if (column >= 0) columns.push_back(column);
  }
  std::vector<int> groups(static_cast<std::size_t>(metadata->num_row_groups()));
  for (std::size_t group = 0; group < groups.size(); ++group)
    groups[group] = static_cast<int>(group);
  const std::shared_ptr<arrow::RecordBatchReader> rows =
      check(reader->GetRecordBatchReader(groups, columns), path, kBad);
  // The batches come from the file reader, which is therefore kept.
  return {rows->schema(), [reader, rows] { return rows->Next(); }, metadata->num_rows()};
}

Batches open_ipc_stream(const std::string& path, std::shared_ptr<arrow::io::InputStream> bytes) {
  const auto reader =
      check(arrow::ipc::RecordBatchStreamReader::Open(std::move(bytes), ipc_options()), path, kBad);
  return {reader->schema(), [reader] { return reader->Next(); }};
}

Batches open_ipc(const std::string& path) {
  if (path == "-") return open_ipc_stream(path, std::make_shared<arrow::io::StdinStream>());
  const auto file = check(arrow::io::ReadableFile::Open(path, bounded_memory()), path, kBad);
  const auto magic = check(file->ReadAt(0, 6), path, kBad);
  check(file->Seek(0), path, kBad);
  if (magic->ToString() != "ARROW1") return open_ipc_stream(path, file);
  const auto reader =
      check(arrow::ipc::RecordBatchFileReader::Open(file, ipc_options()), path, kBad);
  auto next = [reader, index = 0]() mutable -> arrow::Result<std::shared_ptr<RecordBatch>> {
    if (index == reader->num_record_batches()) return nullptr;
    return reader->ReadRecordBatch(index++);
  };
  return {reader->schema(), next, check(reader->CountRows(), path, kBad)};
}

bool holds_text(const arrow::DataType& type) {
  if (type.id() == arrow::Type::DICTIONARY) {
    return holds_text(*static_cast<const arrow::DictionaryType&>(type).value_type());
  }
  return arrow::is_string(type) || type.id() == arrow::Type::STRING_VIEW;
}

class TableSource : public DocumentSource {
 public:
  TableSource(const std::string& path, Batches batches, const RowReading& reading)
      : path_(path), batches_(std::move(batches)), reading_(reading) {
    text_column_ = find_column(reading_.fields.text, false);
    if (!reading_.fields.id.empty()) id_column_ = find_column(reading_.fields.id, true);
    std::error_code ignored;
    if (path_ != "-") file_bytes_ = std::filesystem::file_size(path_, ignored);
  }

  bool next_document(DocumentId& document) override {
    while (next_row()) {
      if (!reading_.shard.takes_next()) continue;
      const std::string place = fmt::format("{}:{}", path_, num_rows_);
      try {
        text_.set(cell(text_column_, place));
        document = {reading_.fields.id.empty() ? place : cell(id_column_, place), place};
        return true;
      } catch (const Error& error) {
        reading_.diagnostics.bad_input(error.what());
      }
    }
    return false;
  }

  bool append_text(std::string& to) override { return text_.append_to(to); }
  bool ready() const override { return path_ != "-" || (batch_ && row_ + 1 < batch_->num_rows()); }
  std::uint64_t bytes_read() const override {
    if (batches_.num_rows == 0) return 0;
    return static_cast<std::uint64_t>(static_cast<double>(file_bytes_) *
                                      static_cast<double>(num_rows_) /
                                      static_cast<double>(batches_.num_rows));
  }

 private:
  int find_column(const std::string& name, bool is_id) const {
    const int column = batches_.schema->GetFieldIndex(name);
    if (column < 0) {
      throw Error(kBad, fmt::format("{}: no column '{}', or several of that name", path_, name));
    }
    const arrow::DataType& type = *batches_.schema->field(column)->type();
    if (!holds_text(type) && !(is_id && arrow::is_integer(type.id()))) {
      throw Error(kBad, fmt::format("{}: column '{}' is {}, wanted strings{}", path_, name,
                                    type.ToString(), is_id ? " or integers" : ""));
    }
    return column;
  }

  // Goes to the next row; what comes from a file is checked before it is looked into.
  bool next_row() {
    ++row_;
    while (!batch_ || row_ == batch_->num_rows()) {
      const std::string where = fmt::format("{}: behind row {}", path_, num_rows_);
      batch_ = check(batches_.next(), where, kBad);
      if (!batch_) return false;
      check(batch_->ValidateFull(), where, kBad);
      row_ = 0;
    }
    ++num_rows_;
    return true;
  }

  std::string cell(int column, const std::string& place) const {
    auto scalar = check(batch_->column(column)->GetScalar(row_), place, kBad);
    if (scalar->type->id() == arrow::Type::DICTIONARY && scalar->is_valid) {
      scalar = check(static_cast<const arrow::DictionaryScalar&>(*scalar).GetEncodedValue(), place,
                     kBad);
    }
    if (!scalar->is_valid) {
      throw Error(kBad, fmt::format("{}: column '{}' is null", place,
                                    batches_.schema->field(column)->name()));
    }
    if (arrow::is_integer(scalar->type->id())) return scalar->ToString();
    return std::string(static_cast<const arrow::BaseBinaryScalar&>(*scalar).view());
  }

  std::string path_;
  Batches batches_;
  RowReading reading_;
  int text_column_ = -1;
  int id_column_ = -1;
  std::shared_ptr<RecordBatch> batch_;
  std::int64_t row_ = -1;      // in batch_
  std::int64_t num_rows_ = 0;  // so far
  std::uint64_t file_bytes_ = 0;
  TextPieces text_;
};

}  // namespace

std::unique_ptr<DocumentSource> open_table(const std::string& path, InputKind kind,
                                           const RowReading& reading) {
  if (path == "-" && kind == InputKind::kParquet) {
    throw Error(kBad, "-: Parquet is read from files only: its contents stand at the end");
  }
  Batches batches =
      kind == InputKind::kParquet ? open_parquet(path, reading.fields) : open_ipc(path);
  return std::make_unique<TableSource>(path, std::move(batches), reading);
}

}  // namespace diffie::cli
