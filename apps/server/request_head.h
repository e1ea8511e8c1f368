// The head of an HTTP message as the routes see it, and what is wrong with one.
#pragma once

#include <boost/beast/http.hpp>
#include <optional>

#include "http_error.h"
#include "message.h"
#include "server_config.h"

namespace diffie::server {

Head head_of(const boost::beast::http::request_header<>& header);

// Where a message ends must be said once, and so that everybody on its way understands the same by
// it (RFC 9112, 6.3): what two servers read differently can hide a request in another. So must who
// asks, and what the body is (RFC 9110, 5.3).
std::optional<HttpError> framing_error(const boost::beast::http::request_header<>& header);

// What a request that cannot be read is answered with; none: there is nobody to answer.
std::optional<HttpError> refusal_of(const boost::system::error_code& error, bool timed_out,
                                    const ServerConfig& config = {});

}  // namespace diffie::server
