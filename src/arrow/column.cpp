#include "arrow/column.h"

#include <cstring>
#include <memory>

#include "base/assert.h"
#include "base/utf8.h"

namespace diffie::arrow {
namespace {

const char* format_of(Type type) {
  switch (type) {
    case Type::kUtf8:
      return "u";
    case Type::kInt32:
      return "i";
    case Type::kInt64:
      return "l";
    case Type::kFloat64:
      return "g";
    case Type::kList:
      return "+l";
    case Type::kStruct:
      return "+s";
  }
  return "";
}

void append_length(std::string& out, std::size_t length) {
  char bytes[sizeof(std::int32_t)];
  const auto value = static_cast<std::int32_t>(length);
  std::memcpy(bytes, &value, sizeof bytes);
  out.append(bytes, sizeof bytes);
}

// Number of pairs, then each key and value behind its length; integers as the machine has them.
std::string encode(const Column::Metadata& metadata) {
  std::string out;
  append_length(out, metadata.size());
  for (const auto& [key, value] : metadata) {
    for (const std::string& text : {key, value}) {
      append_length(out, text.size());
      out += text;
    }
  }
  return out;
}

// Children that were not moved away are the parent's to release.
template <typename Node>
void release_children(Node* node) {
  for (std::int64_t index = 0; index < node->n_children; ++index) {
    Node* child = node->children[index];
    if (child->release != nullptr) child->release(child);
  }
}

template <typename Node>
std::vector<Node*> pointers_to(std::vector<Node>& nodes) {
  std::vector<Node*> pointers;
  for (Node& node : nodes) pointers.push_back(&node);
  return pointers;
}

}  // namespace

Column::Column(std::string name, Type type, std::vector<Column> children, bool nullable)
    : name_(std::move(name)), type_(type), nullable_(nullable), children_(std::move(children)) {
  clear();
}

void Column::clear() {
  length_ = 0;
  nulls_ = 0;
  buffers_ = {};
  if (has_offsets()) buffers_.offsets.push_back(0);
}

void Column::add_validity(bool valid) {
  if (nullable_) {
    if (length_ % 8 == 0) buffers_.validity.push_back(0);
    if (valid) buffers_.validity.back() |= static_cast<std::uint8_t>(1u << (length_ % 8));
  }
  if (!valid) ++nulls_;
  ++length_;
}

void Column::add_text(std::string_view text) {
  add_validity(true);
  base::append_valid_utf8(buffers_.text, text);
  buffers_.offsets.push_back(static_cast<std::int32_t>(buffers_.text.size()));
}

void Column::add_integer(std::int64_t value) {
  add_validity(true);
  if (type_ == Type::kInt32) {
    buffers_.integers32.push_back(static_cast<std::int32_t>(value));
  } else {
    buffers_.integers64.push_back(value);
  }
}

void Column::add_real(double value) {
  add_validity(true);
  buffers_.reals.push_back(value);
}

void Column::add_list() {
  add_validity(true);
  buffers_.offsets.push_back(static_cast<std::int32_t>(child(0).length()));
}

void Column::add_struct() { add_validity(true); }

void Column::add_null() {
  DIFFIE_ASSERT(nullable_);
  add_validity(false);
  if (type_ == Type::kUtf8) buffers_.offsets.push_back(buffers_.offsets.back());
  if (type_ == Type::kInt32) buffers_.integers32.push_back(0);
}

std::size_t Column::text_bytes() const {
  std::size_t bytes = buffers_.text.size();
  for (const Column& each : children_) bytes += each.text_bytes();
  return bytes;
}

struct Column::SchemaOwner {
  std::string name;
  std::string metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;

  static void release(ArrowSchema* schema) {
    release_children(schema);
    const std::unique_ptr<SchemaOwner> owner(static_cast<SchemaOwner*>(schema->private_data));
    schema->release = nullptr;
  }
};

void Column::export_schema(ArrowSchema* out, const Metadata& metadata) const {
  auto owner = std::make_unique<SchemaOwner>();
  owner->name = name_;
  if (!metadata.empty()) owner->metadata = encode(metadata);
  owner->children.resize(children_.size());
  for (std::size_t index = 0; index < children_.size(); ++index) {
    children_[index].export_schema(&owner->children[index]);
  }
  owner->child_pointers = pointers_to(owner->children);
  *out = {.format = format_of(type_),
          .name = owner->name.c_str(),
          .metadata = metadata.empty() ? nullptr : owner->metadata.data(),
          .flags = nullable_ ? kNullable : 0,
          .n_children = static_cast<std::int64_t>(children_.size()),
          .children = owner->child_pointers.data(),
          .dictionary = nullptr,
          .release = &SchemaOwner::release,
          .private_data = nullptr};
  out->private_data = owner.release();
}

struct Column::ArrayOwner {
  Buffers buffers;
  std::vector<const void*> buffer_pointers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;

  static void release(ArrowArray* array) {
    release_children(array);
    const std::unique_ptr<ArrayOwner> owner(static_cast<ArrayOwner*>(array->private_data));
    array->release = nullptr;
  }

  // In the order that the format fixes for each type.
  void point(Type type, bool nulls) {
    buffer_pointers = {nulls ? buffers.validity.data() : nullptr};
    switch (type) {
      case Type::kUtf8:
        buffer_pointers.push_back(buffers.offsets.data());
        buffer_pointers.push_back(buffers.text.data());
        break;
      case Type::kList:
        buffer_pointers.push_back(buffers.offsets.data());
        break;
      case Type::kInt32:
        buffer_pointers.push_back(buffers.integers32.data());
        break;
      case Type::kInt64:
        buffer_pointers.push_back(buffers.integers64.data());
        break;
      case Type::kFloat64:
        buffer_pointers.push_back(buffers.reals.data());
        break;
      case Type::kStruct:
        break;
    }
  }
};

void Column::export_array(ArrowArray* out) {
  auto owner = std::make_unique<ArrayOwner>();
  owner->children.resize(children_.size());
  for (std::size_t index = 0; index < children_.size(); ++index) {
    children_[index].export_array(&owner->children[index]);
  }
  owner->child_pointers = pointers_to(owner->children);
  owner->buffers = std::move(buffers_);
  owner->point(type_, nulls_ > 0);
  *out = {.length = static_cast<std::int64_t>(length_),
          .null_count = static_cast<std::int64_t>(nulls_),
          .offset = 0,
          .n_buffers = static_cast<std::int64_t>(owner->buffer_pointers.size()),
          .n_children = static_cast<std::int64_t>(children_.size()),
          .buffers = owner->buffer_pointers.data(),
          .children = owner->child_pointers.data(),
          .dictionary = nullptr,
          .release = &ArrayOwner::release,
          .private_data = nullptr};
  out->private_data = owner.release();
  clear();
}

}  // namespace diffie::arrow
