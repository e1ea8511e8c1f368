// What we tell the user, on stderr. Nothing here throws or stops the work: where stderr cannot be
// written, messages are lost.
#pragma once

#include <string_view>

namespace diffie::cli {

// "diffie: TEXT" on a line of its own. What a terminal would obey is shown as \x1b, \u202e.
void tell(std::string_view text) noexcept;

// A line that the next one, or a message, is drawn over; "" wipes it. For terminals.
void draw_status(std::string_view text) noexcept;

// Opens those of the three standard descriptors that are closed, so that no file of ours gets their
// number and is written to as if it were standard output. Reading and writing them fails as before.
void hold_standard_descriptors() noexcept;

// A file that may grow no further (ulimit -f) is an error like a full disk, no signal that ends us.
void take_size_limits_as_errors() noexcept;

}  // namespace diffie::cli
