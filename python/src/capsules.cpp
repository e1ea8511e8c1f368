#include "capsules.h"

#include <cerrno>
#include <exception>
#include <memory>

// As the specification fixes it.
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

namespace diffie::python {
namespace {

// A structure that nobody has taken over is released with its capsule.
template <typename Node>
nb::object capsule(std::unique_ptr<Node> node, const char* name) {
  PyObject* made = PyCapsule_New(node.get(), name, [](PyObject* self) {
    const std::unique_ptr<Node> owned(
        static_cast<Node*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self))));
    if (owned->release != nullptr) owned->release(owned.get());
  });
  if (made == nullptr) {
    node->release(node.get());
    throw nb::python_error();
  }
  (void)node.release();
  return nb::steal(made);
}

struct Stream {
  FillSchema schema;
  FillArray next;
  std::string error;

  static Stream& of(ArrowArrayStream* stream) {
    return *static_cast<Stream*>(stream->private_data);
  }

  // No exception may reach the consumer, which is C.
  template <typename Body>
  static int guarded(ArrowArrayStream* stream, const Body& body) {
    try {
      body(of(stream));
      return 0;
    } catch (const std::exception& error) {
      of(stream).error = error.what();
      return EIO;
    }
  }

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    return guarded(stream, [&](Stream& self) { self.schema(out); });
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    *out = {};
    return guarded(stream, [&](Stream& self) { self.next(out); });
  }
  static const char* last_error(ArrowArrayStream* stream) { return of(stream).error.c_str(); }
  static void release(ArrowArrayStream* stream) {
    const std::unique_ptr<Stream> owned(&of(stream));
    stream->release = nullptr;
  }
};

}  // namespace

nb::object schema_capsule(const FillSchema& fill) {
  auto schema = std::make_unique<ArrowSchema>();
  fill(schema.get());
  return capsule(std::move(schema), "arrow_schema");
}

nb::object array_capsule(const FillArray& fill) {
  auto array = std::make_unique<ArrowArray>();
  fill(array.get());
  return capsule(std::move(array), "arrow_array");
}

nb::object stream_capsule(FillSchema schema, FillArray next) {
  auto state = std::make_unique<Stream>(Stream{std::move(schema), std::move(next), {}});
  auto stream = std::make_unique<ArrowArrayStream>(ArrowArrayStream{
      &Stream::get_schema, &Stream::get_next, &Stream::last_error, &Stream::release, state.get()});
  (void)state.release();
  return capsule(std::move(stream), "arrow_array_stream");
}

}  // namespace diffie::python
