#pragma once

#include <gtest/gtest.h>

#include <string>

#include "diffie/error.h"

// The statement throws Error with this code, and the message contains `fragment`.
#define EXPECT_ERROR(statement, expected_code, fragment)                    \
  try {                                                                     \
    statement;                                                              \
    ADD_FAILURE() << #statement " did not throw";                           \
  } catch (const ::diffie::Error& caught) {                                 \
    EXPECT_EQ(caught.code(), expected_code) << caught.what();               \
    EXPECT_NE(std::string(caught.what()).find(fragment), std::string::npos) \
        << "message was: " << caught.what();                                \
  }
