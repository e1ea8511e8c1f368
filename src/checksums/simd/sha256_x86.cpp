// SHA-256 with the x86 SHA extensions; compiled with those flags, called only where the machine has
// them.
#include <immintrin.h>

#include "checksums/sha256_blocks.h"

namespace diffie::checksums {

namespace {

// The instructions keep the words as {A, B, E, F} and {C, D, G, H}, first letter in the top lane.
struct Halves {
  __m128i abef;
  __m128i cdgh;
};

inline Halves load_state(const std::uint32_t* words) {
  const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words));
  const __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  return {_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xF0)};
}

inline void store_state(const Halves& state, std::uint32_t* words) {
  const __m128i feba = _mm_shuffle_epi32(state.abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(state.cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

inline void four_rounds(Halves& state, __m128i message, const std::uint32_t* rounds) {
  const __m128i sum =
      _mm_add_epi32(message, _mm_loadu_si128(reinterpret_cast<const __m128i*>(rounds)));
  state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, sum);
  state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, _mm_shuffle_epi32(sum, 0x0E));
}

// w[0..3] hold sixteen words of the message schedule; the next four.
inline __m128i next_words(const __m128i* w) {
  const __m128i sum =
      _mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]), _mm_alignr_epi8(w[3], w[2], 4));
  return _mm_sha256msg2_epu32(sum, w[3]);
}

void blocks_with_sha(Sha256State& words, const std::byte* data, std::size_t blocks) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  Halves state = load_state(words.data());
  for (; blocks > 0; --blocks, data += 64) {
    const Halves before = state;
    __m128i w[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const auto* from = reinterpret_cast<const __m128i*>(data + 16 * i);
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(from), big_endian);
      four_rounds(state, w[i], kSha256Rounds.data() + 4 * i);
    }
#pragma GCC unroll 12
    for (int i = 4; i < 16; ++i) {
      const __m128i next = next_words(w);
      w[0] = w[1];
      w[1] = w[2];
      w[2] = w[3];
      w[3] = next;
      four_rounds(state, next, kSha256Rounds.data() + 4 * i);
    }
    state.abef = _mm_add_epi32(state.abef, before.abef);
    state.cdgh = _mm_add_epi32(state.cdgh, before.cdgh);
  }
  store_state(state, words.data());
}

}  // namespace

Sha256Blocks sha256_blocks_x86() {
  const bool found = __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1");
  return found ? blocks_with_sha : nullptr;
}

}  // namespace diffie::checksums
