// What a CPU's vector unit has that C++ cannot say: loading 16-byte records transposed, comparing to a bit mask,
// storing the lanes of a mask side by side, looking up in a table of 16. One struct for each instruction set, all with
// the same meaning (tests/unit/device/backend_simd.cpp); the best one that the compiler may use is `Simd`. Everything
// else is plain arithmetic on GCC's vector types, which Clang has, too. Physics stays free of both.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/types.hpp"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace mesowarp::backend {

template <int W>
struct SimdTypes {
  static constexpr int width = W;
  typedef u32 Words __attribute__((vector_size(4 * W)));
  typedef i32 Integers __attribute__((vector_size(4 * W)));
  typedef float Floats __attribute__((vector_size(4 * W)));
  struct Records {
    Words word[4];
  };
  static Words broadcast(u32 value) { return Words{} + value; }
  static Floats broadcast(float value) { return Floats{} + value; }
  static Words iota(u32 from) {
    static constexpr u32 lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return load(lanes) + from;
  }
  static Words load(const u32* from) {
    Words v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  }
  template <class T, class V>
  static void store(T* to, V v) {
    static_assert(sizeof(T) == 4 && sizeof(V) == 4 * W);
    std::memcpy(to, &v, sizeof(v));
  }
  // Bits 0 to count - 1; all if there are more lanes to come.
  static u32 first(int count) { return count >= W ? (u32{1} << (W - 1) << 1) - 1 : (u32{1} << count) - 1; }
};

// Indices first, first + 1, ...
struct Consecutive {
  int first;
  int operator[](int lane) const { return first + lane; }
};

// Any machine.
struct PortableSimd : SimdTypes<4> {
  // Words 0 to 3 of the records of 16 bytes at base + index[lane] * Stride; index: a pointer or Consecutive.
  template <int Stride, class Index>
  static Records load4(const void* base, const Index& index) {
    Records r;
    for (int lane = 0; lane < width; ++lane) {
      u32 word[4];
      std::memcpy(word, static_cast<const char*>(base) + static_cast<i64>(index[lane]) * Stride, sizeof(word));
      for (int w = 0; w < 4; ++w) r.word[w][lane] = word[w];
    }
    return r;
  }
  // Bit l: a < b, or a != b, in lane l.
  static u32 less(Floats a, Floats b) { return bits(a < b); }
  static u32 differ(Words a, Words b) { return bits(a != b); }
  // Stores the lanes of the mask one after another; what follows up to `width` words is overwritten with anything.
  static void compressStore(void* to, Words v, u32 mask) {
    u32 packed[width] = {};
    int n = 0;
    for (int lane = 0; lane < width; ++lane) {
      packed[n] = v[lane];
      n += mask >> lane & 1;
    }
    std::memcpy(to, packed, sizeof(packed));
  }
  // Lane l: byte l of those at `from`.
  static Words loadBytes(const std::uint8_t* from) {
    Words v;
    for (int lane = 0; lane < width; ++lane) v[lane] = from[lane];
    return v;
  }
  // Lane l: lane index[l] of `of`.
  static Words permute(Words of, Words index) {
    Words v;
    for (int lane = 0; lane < width; ++lane) v[lane] = of[index[lane]];
    return v;
  }
  // Lane l: table[index[l]], of a table of 16 entries.
  static Words lookup(const void* table, Words index) {
    u32 lanes[width];
    for (int lane = 0; lane < width; ++lane)
      std::memcpy(lanes + lane, static_cast<const char*>(table) + 4 * index[lane], 4);
    return load(lanes);
  }

private:
  static u32 bits(Integers v) {
    u32 mask = 0;
    for (int lane = 0; lane < width; ++lane) mask |= static_cast<u32>(v[lane] & 1) << lane;
    return mask;
  }
};

#if defined(__AVX2__)
// Lane numbers of the set bits of every 8-bit mask, lowest first, a byte each.
struct CompressTable {
  u64 lanes[256];
  constexpr CompressTable() : lanes{} {
    for (int mask = 0; mask < 256; ++mask)
      for (int lane = 0, n = 0; lane < 8; ++lane)
        if (mask >> lane & 1) lanes[mask] |= static_cast<u64>(lane) << (8 * n++);
  }
};
inline constexpr CompressTable compressTable;

struct Avx2Simd : SimdTypes<8> {
  template <int Stride, class Index>
  static Records load4(const void* base, const Index& index) {
    const auto record = [&](int lane) {
      return _mm_loadu_si128(
          reinterpret_cast<const __m128i*>(static_cast<const char*>(base) + static_cast<i64>(index[lane]) * Stride));
    };
    const auto pair = [&](int lane) {
      return _mm256_inserti128_si256(_mm256_castsi128_si256(record(lane)), record(lane + 4), 1);
    };
    const __m256i a = pair(0), b = pair(1), c = pair(2), d = pair(3);
    const __m256i ab = _mm256_unpacklo_epi32(a, b), cd = _mm256_unpacklo_epi32(c, d), AB = _mm256_unpackhi_epi32(a, b),
                  CD = _mm256_unpackhi_epi32(c, d);
    return {{Words(_mm256_unpacklo_epi64(ab, cd)), Words(_mm256_unpackhi_epi64(ab, cd)),
             Words(_mm256_unpacklo_epi64(AB, CD)), Words(_mm256_unpackhi_epi64(AB, CD))}};
  }
  static u32 less(Floats a, Floats b) { return bits(a < b); }
  static u32 differ(Words a, Words b) { return bits(a != b); }
  static void compressStore(void* to, Words v, u32 mask) {
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<i64>(compressTable.lanes[mask])));
    _mm256_storeu_si256(static_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(__m256i(v), lanes));
  }
  static Words loadBytes(const std::uint8_t* from) {
    return Words(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
  }
  static Words permute(Words of, Words index) {
    return Words(_mm256_permutevar8x32_epi32(__m256i(of), __m256i(index)));
  }
  static Words lookup(const void* table, Words index) {
    const auto* halves = static_cast<const __m256i*>(table);
    const __m256i low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(halves), __m256i(index)),
                  high = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(halves + 1), __m256i(index));
    return Words(_mm256_blendv_epi8(low, high, __m256i(index > 7)));
  }

private:
  static u32 bits(Integers v) { return static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(__m256i(v)))); }
};
#endif

#if defined(__AVX512F__)
struct Avx512Simd : SimdTypes<16> {
  template <int Stride, class Index>
  static Records load4(const void* base, const Index& index) {
    const auto record = [&](int lane) {
      return _mm_loadu_si128(
          reinterpret_cast<const __m128i*>(static_cast<const char*>(base) + static_cast<i64>(index[lane]) * Stride));
    };
    const auto four = [&](int lane) {
      __m512i v = _mm512_castsi128_si512(record(lane));
      v = _mm512_inserti32x4(v, record(lane + 4), 1);
      v = _mm512_inserti32x4(v, record(lane + 8), 2);
      return _mm512_inserti32x4(v, record(lane + 12), 3);
    };
    const __m512i a = four(0), b = four(1), c = four(2), d = four(3);
    const __m512i ab = unpacklo32(a, b), cd = unpacklo32(c, d), AB = unpackhi32(a, b), CD = unpackhi32(c, d);
    return {
        {Words(unpacklo64(ab, cd)), Words(unpackhi64(ab, cd)), Words(unpacklo64(AB, CD)), Words(unpackhi64(AB, CD))}};
  }
  // GCC 12 warns of its own undefined pass-through operands unless a mask is given.
  static __m512i unpacklo32(__m512i a, __m512i b) { return _mm512_maskz_unpacklo_epi32(0xFFFF, a, b); }
  static __m512i unpackhi32(__m512i a, __m512i b) { return _mm512_maskz_unpackhi_epi32(0xFFFF, a, b); }
  static __m512i unpacklo64(__m512i a, __m512i b) { return _mm512_maskz_unpacklo_epi64(0xFF, a, b); }
  static __m512i unpackhi64(__m512i a, __m512i b) { return _mm512_maskz_unpackhi_epi64(0xFF, a, b); }
  static u32 less(Floats a, Floats b) { return _mm512_cmp_ps_mask(__m512(a), __m512(b), _CMP_LT_OQ); }
  static u32 differ(Words a, Words b) { return _mm512_cmpneq_epi32_mask(__m512i(a), __m512i(b)); }
  // Compressed in a register: the instruction that compresses to memory is microcode on AMD's Zen 4.
  static void compressStore(void* to, Words v, u32 mask) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), __m512i(v)));
  }
  static Words loadBytes(const std::uint8_t* from) {
    return Words(_mm512_maskz_cvtepu8_epi32(0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
  }
  static Words permute(Words of, Words index) {
    return Words(_mm512_maskz_permutexvar_epi32(0xFFFF, __m512i(index), __m512i(of)));
  }
  static Words lookup(const void* table, Words index) {
    return Words(_mm512_maskz_permutexvar_epi32(0xFFFF, __m512i(index), _mm512_loadu_si512(table)));
  }
};
#endif

#if defined(__AVX512F__)
using Simd = Avx512Simd;
#elif defined(__AVX2__)
using Simd = Avx2Simd;
#else
using Simd = PortableSimd;
#endif

}  // namespace mesowarp::backend
