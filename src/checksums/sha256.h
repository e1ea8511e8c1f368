// SHA-256 (FIPS 180-4), computed by libcrypto.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace diffie::checksums {

class Sha256 {
 public:
  Sha256();
  void update(std::span<const std::byte> bytes);
  // The digest as 64 lower-case hexadecimal digits. The object is spent afterwards.
  std::string finish();

 private:
  struct FreeContext {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, FreeContext> context_;
};

std::string sha256(std::span<const std::byte> bytes);
std::string sha256_of_file(const std::filesystem::path& path);  // throws kNotFound

}  // namespace diffie::checksums
