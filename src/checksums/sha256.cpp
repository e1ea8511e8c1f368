#include "checksums/sha256.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <array>

#include "diffie/error.h"
#include "files/loaded_file.h"

namespace diffie::checksums {
namespace {

void check(bool succeeded, const char* step) {
  if (!succeeded) throw Error(ErrorCode::kInternal, fmt::format("libcrypto: {} failed", step));
}

// In a context of our own: the process's openssl.cnf is neither read nor changed, whatever else in
// it uses libcrypto. Both live as long as the process.
const EVP_MD* algorithm() {
  static const EVP_MD* const sha256 = [] {
    OSSL_LIB_CTX* const library = OSSL_LIB_CTX_new();
    check(library != nullptr, "OSSL_LIB_CTX_new");
    const EVP_MD* const fetched = EVP_MD_fetch(library, "SHA256", nullptr);
    check(fetched != nullptr, "EVP_MD_fetch");
    return fetched;
  }();
  return sha256;
}

}  // namespace

void Sha256::FreeContext::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  check(context_ != nullptr, "EVP_MD_CTX_new");
  check(EVP_DigestInit_ex2(context_.get(), algorithm(), nullptr) == 1, "EVP_DigestInit_ex2");
}

void Sha256::update(std::span<const std::byte> bytes) {
  check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1, "EVP_DigestUpdate");
}

std::string Sha256::finish() {
  std::array<unsigned char, 32> digest{};
  check(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1, "EVP_DigestFinal_ex");
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string sha256(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  Sha256 hash;
  files::for_each_block(path, [&](std::span<const std::byte> block) { hash.update(block); });
  return hash.finish();
}

}  // namespace diffie::checksums
