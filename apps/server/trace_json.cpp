#include "trace_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "base/json_text.h"
#include "diffie/trace.h"

namespace diffie::server {
namespace {

// Objects and arrays of many small numbers, written as they come.
class TraceWriter {
 public:
  std::string write(const Trace& trace, std::string_view sentence) {
    out_ += "{\"sentence\": ";
    base::append_json_string(out_, sentence);
    put(", \"kernel\": \"{}\", \"steps\": {}, \"cut\": {}, \"pieces\": ", trace.kernel,
        trace.num_steps, trace.is_cut);
    list(trace.pieces, [&](const Trace::Piece& piece) { add(piece); });
    out_ += ", \"trajectories\": ";
    list(trace.trajectories, [&](const Trace::Trajectory& each) { add(each); });
    out_ += ", \"clusters\": ";
    list(trace.clusters, [&](const Trace::Cluster& each) { add(each); });
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }

  template <typename Items, typename Add>
  void list(const Items& items, const Add& add_one) {
    out_ += '[';
    bool first = true;
    for (const auto& item : items) {
      if (!std::exchange(first, false)) out_ += ", ";
      add_one(item);
    }
    out_ += ']';
  }

  void add(const Trace::Piece& piece) {
    out_ += "{\"text\": ";
    base::append_json_string(out_, piece.text);
    if (!piece.implied) put(", \"begin\": {}, \"end\": {}", piece.bytes.begin, piece.bytes.end);
    put(", \"word\": {}{}}}", piece.word, piece.implied ? ", \"implied\": true" : "");
  }

  void add(const Trace::Triple& triple) {
    out_ += "\"subject\": ";
    base::append_json_string(out_, triple.subject);
    out_ += ", \"relation\": ";
    base::append_json_string(out_, triple.relation);
    out_ += ", \"object\": ";
    base::append_json_string(out_, triple.object);
  }

  void add(const Trace::Trajectory& trajectory) {
    put("{{\"weight\": {:.6g}, \"tags\": \"{}\", \"triple\": ", trajectory.weight, trajectory.tags);
    if (trajectory.triple) {
      out_ += '{';
      add(*trajectory.triple);
      out_ += '}';
    } else {
      out_ += "null";
    }
    out_ += ", \"steps\": ";
    list(trajectory.steps, [&](const Trace::Step& step) {
      put("{{\"time\": {}, \"state\": \"{}\", \"probabilities\": ", step.time, step.state);
      list(step.probabilities, [&](const std::array<float, 4>& each) {
        put("[{:.3f}, {:.3f}, {:.3f}, {:.3f}]", each[0], each[1], each[2], each[3]);
      });
      out_ += '}';
    });
    out_ += '}';
  }

  void add(const Trace::Cluster& cluster) {
    out_ += '{';
    add(cluster.triple);
    put(", \"mass\": {:.6g}, \"members\": {}, \"confidence\": ", cluster.mass, cluster.members);
    if (cluster.confidence) {
      put("{:.6g}}}", *cluster.confidence);
    } else {
      out_ += "null}";
    }
  }

  std::string out_;
};

}  // namespace

std::string trace_json(const std::shared_ptr<const Model>& model, const Settings& settings,
                       const TraceRequest& request, const std::stop_token& stop) {
  const Trace found = trace(model, settings, request.sentence, request.trajectories, stop);
  return TraceWriter().write(found, request.sentence);
}

}  // namespace diffie::server
