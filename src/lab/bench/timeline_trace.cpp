#include "timeline_trace.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace diffie {
namespace {

constexpr int kHost = 1, kGpu = 2;

std::string name_event(std::string_view kind, int process, std::size_t row, std::string_view name) {
  return fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{"name":"{}"}}}})",
                     process, row, kind, name);
}

void append_span(std::string& out, const base::TimedSpan& span, const TimelineWindow& window,
                 int process, std::size_t row) {
  using Microseconds = std::chrono::duration<double, std::micro>;
  fmt::format_to(std::back_inserter(out),
                 ",\n"
                 R"({{"ph":"X","pid":{},"tid":{},"name":"{}","ts":{:.3f},"dur":{:.3f})",
                 process, row, span.name, Microseconds(span.begin - window.begin).count(),
                 Microseconds(span.end - span.begin).count());
  if (process == kHost)
    fmt::format_to(std::back_inserter(out), R"(,"args":{{"cpu_us":{:.3f}}})", span.cpu_s * 1e6);
  out += '}';
}

}  // namespace

std::string to_trace(const base::Timeline& timeline, const TimelineWindow& window) {
  std::string out = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  out += name_event("process_name", kHost, 0, "CPU");
  std::size_t row = 0;
  for (const base::TimedRow& each : timeline.rows()) {
    const int process = each.kind() == base::RowKind::kStream ? kGpu : kHost;
    if (process == kGpu) out += ",\n" + name_event("process_name", kGpu, 0, "GPU");
    out += ",\n" + name_event("thread_name", process, ++row, each.name());
    for (const base::TimedSpan& span : each.spans()) {
      if (window.has(span)) append_span(out, span, window, process, row);
    }
  }
  return out + "\n]}\n";
}

}  // namespace diffie
