#include "physics/nbody/deck/bodies_text.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "io/text/text_reader.hpp"

namespace mesowarp::nbody {

BodiesText readBodiesText(const std::string& path) {
  io::TextReader reader(path);
  BodiesText bodies;
  std::size_t words = 0;
  while (reader.nextFilled()) {
    if (words == 0) words = reader.words().size();
    if (reader.words().size() != words || words < 6 || words > 9)
      reader.fail(
          fmt::format("expected x y z vx vy vz [mass [charge [type]]], {}, found {} words",
                      words >= 6 && words <= 9 ? fmt::format("{} words as in the first line", words) : "6 to 9 words",
                      reader.words().size()));
    std::array<double, 3> x{}, v{};
    for (std::size_t c = 0; c < 3; ++c) x[c] = reader.real(c, "position"), v[c] = reader.real(3 + c, "velocity");
    bodies.position.push_back(x), bodies.velocity.push_back(v);
    if (words > 6) bodies.mass.push_back(reader.real(6, "mass"));
    if (words > 6 && !(bodies.mass.back() > 0.0)) reader.fail("mass: expected a number > 0");
    if (words > 7) bodies.charge.push_back(reader.real(7, "charge"));
    if (words > 8) bodies.type.push_back(reader.integer(8, "type", 1, 64));
  }
  if (bodies.position.empty()) throw InputError(path + ": it holds no bodies");
  return bodies;
}

std::vector<std::array<std::uint32_t, 2>> readPairsText(const std::string& path, std::int64_t count) {
  io::TextReader reader(path);
  std::vector<std::array<std::uint32_t, 2>> pairs;
  while (reader.nextFilled()) {
    if (reader.words().size() != 2)
      reader.fail(fmt::format("expected a pair of bodies, found {} words", reader.words().size()));
    const auto a = reader.integer(0, "body", 0, count - 1), b = reader.integer(1, "body", 0, count - 1);
    if (a == b) reader.fail("a body has no force with itself anyway");
    pairs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
  }
  return pairs;
}

std::int64_t bodiesInText(const std::string& path) {
  io::TextReader in(path);
  std::int64_t lines = 0;
  while (in.nextFilled()) ++lines;
  return lines;
}

}  // namespace mesowarp::nbody
