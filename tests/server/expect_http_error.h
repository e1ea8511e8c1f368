#pragma once

#include <gtest/gtest.h>

#include "http_error.h"

// The statement throws HttpError with this status and field.
#define EXPECT_HTTP_ERROR(statement, expected_status, expected_field)    \
  try {                                                                  \
    statement;                                                           \
    ADD_FAILURE() << #statement " did not throw";                        \
  } catch (const ::diffie::server::HttpError& caught) {                  \
    EXPECT_EQ(caught.status(), expected_status) << caught.what();        \
    EXPECT_EQ(caught.field(), expected_field) << caught.what();          \
    EXPECT_EQ(std::string(caught.what()).find('\n'), std::string::npos); \
  }
