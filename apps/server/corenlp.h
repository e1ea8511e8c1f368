// The protocol of Stanford CoreNLP's server.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "extract_request.h"

namespace diffie::server {

// Its clients send the text as the body, and `properties` in the query: JSON, or as Python or Java
// print a map. Of these outputFormat, annotators, openie.* are looked at. Throws HttpError 400.
ExtractRequest parse_corenlp_request(std::string_view query, std::string body);

// {'a': 'b', "c": 1, d=e,f}: keys and values, quoted or not; "" is an empty map. Throws HttpError
// 400 for what is none.
std::map<std::string, std::string> parse_properties(std::string_view text);

}  // namespace diffie::server
