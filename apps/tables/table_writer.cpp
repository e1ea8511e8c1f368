#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/api.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>

#include "arrow_check.h"
#include "tables.h"

namespace diffie::cli {
namespace {

// What is gathered before it is written: a row group of Parquet, a record batch of Arrow.
constexpr std::size_t kMaxRows = 65'536;
constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

template <class Value>
auto written(Value value) {
  return check(std::move(value), "table of triples", ErrorCode::kExhausted);
}

// No exception may pass through Arrow.
class FilesStream : public arrow::io::OutputStream {
 public:
  explicit FilesStream(OutputFiles& files) : files_(files) {}

  using arrow::io::OutputStream::Write;
  arrow::Status Write(const void* data, std::int64_t size) override {
    try {
      files_.write("", {static_cast<const char*>(data), static_cast<std::size_t>(size)});
    } catch (const std::bad_alloc&) {
      return arrow::Status::OutOfMemory("table of triples");
    } catch (const std::exception& error) {
      return arrow::Status::IOError(error.what());
    }
    position_ += size;
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> Tell() const override { return position_; }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }

 private:
  OutputFiles& files_;
  std::int64_t position_ = 0;
  bool closed_ = false;
};

// One of Arrow's writers of files.
class BatchWriter {
 public:
  virtual ~BatchWriter() = default;
  virtual arrow::Status write(const std::shared_ptr<arrow::RecordBatch>& batch) = 0;
  virtual arrow::Status close() = 0;
};

class ParquetBatches final : public BatchWriter {
 public:
  ParquetBatches(const std::shared_ptr<arrow::Schema>& schema,
                 const std::shared_ptr<arrow::io::OutputStream>& stream) {
    parquet::WriterProperties::Builder properties;
    if (arrow::util::Codec::IsAvailable(arrow::Compression::ZSTD))
      properties.compression(parquet::Compression::ZSTD);
    parquet::ArrowWriterProperties::Builder arrow_properties;
    writer_ = written(parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(),
                                                       stream, properties.build(),
                                                       arrow_properties.store_schema()->build()));
  }

  arrow::Status write(const std::shared_ptr<arrow::RecordBatch>& batch) override {
    ARROW_ASSIGN_OR_RAISE(const auto table, arrow::Table::FromRecordBatches({batch}));
    return writer_->WriteTable(*table, batch->num_rows());
  }
  arrow::Status close() override { return writer_->Close(); }

 private:
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

class IpcBatches final : public BatchWriter {
 public:
  IpcBatches(const std::shared_ptr<arrow::Schema>& schema,
             const std::shared_ptr<arrow::io::OutputStream>& stream)
      : writer_(written(arrow::ipc::MakeFileWriter(stream, schema))) {}

  arrow::Status write(const std::shared_ptr<arrow::RecordBatch>& batch) override {
    return writer_->WriteRecordBatch(*batch);
  }
  arrow::Status close() override { return writer_->Close(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

class TableWriter final : public Writer {
 public:
  TableWriter(InputKind kind, const TableOrigin& origin, OutputFiles& files) : table_(origin) {
    ArrowSchema schema;
    table_.export_schema(&schema);
    schema_ = written(arrow::ImportSchema(&schema));
    const auto stream = std::make_shared<FilesStream>(files);
    if (kind == InputKind::kParquet) {
      batches_ = std::make_unique<ParquetBatches>(schema_, stream);
    } else {
      batches_ = std::make_unique<IpcBatches>(schema_, stream);
    }
  }

  void begin_document(std::string_view id) override { document_ = id; }
  void add(const DocumentSentence& sentence, const SentenceResult& result) override {
    table_.add(document_, sentence, result);
    if (table_.rows() >= kMaxRows || table_.bytes() >= kMaxBytes) write_rows();
  }
  void end_document(std::string_view /*rest*/) override {}
  void finish() override {
    if (table_.rows() > 0) write_rows();
    written(batches_->close());
  }

 private:
  void write_rows() {
    ArrowArray rows;
    table_.export_batch(&rows);
    written(batches_->write(written(arrow::ImportRecordBatch(&rows, schema_))));
  }

  TripleTable table_;
  std::string document_;
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<BatchWriter> batches_;
};

}  // namespace

std::unique_ptr<Writer> make_table_writer(InputKind kind, const TableOrigin& origin,
                                          OutputFiles& files) {
  return std::make_unique<TableWriter>(kind, origin, files);
}

}  // namespace diffie::cli
