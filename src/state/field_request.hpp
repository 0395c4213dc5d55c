// A field that somebody needs of a population, beside those that every particle has.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "state/fields.hpp"

namespace mesowarp {

struct FieldRequest {
  std::string name;
  std::size_t width = 1;        // numbers of a particle
  std::size_t bytes = 4;        // of a number: 4 (float) or 8 (double)
  unsigned traits = 0;          // FieldTraits
  bool doubleBuffered = false;  // the next state is written while the old one is read
};

// One more, or, where the name is known already, what is asked for by either.
inline void addRequest(std::vector<FieldRequest>& all, const FieldRequest& one) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const FieldRequest& r) { return r.name == one.name; });
  if (same == all.end()) {
    all.push_back(one);
    return;
  }
  if (same->width != one.width || same->bytes != one.bytes)
    throw std::logic_error("the field " + one.name + " is asked for in two shapes");
  if (same->doubleBuffered && one.doubleBuffered)
    throw std::logic_error("the field " + one.name + " is changed by two");
  same->traits |= one.traits;
  same->doubleBuffered = same->doubleBuffered || one.doubleBuffered;
}

inline void addField(FieldRegistry& fields, const FieldRequest& r, std::size_t particles) {
  if (r.bytes == sizeof(float))
    fields.add<float>(r.name, r.traits, particles, r.width, r.doubleBuffered);
  else
    fields.add<double>(r.name, r.traits, particles, r.width, r.doubleBuffered);
}

inline FieldBase& fieldOf(const FieldRegistry& fields, const std::string& name) {
  if (const auto field = fields.find(name)) return *field;
  throw std::logic_error("there is no field " + name);
}

}  // namespace mesowarp
