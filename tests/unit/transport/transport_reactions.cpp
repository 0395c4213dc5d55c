// Reactions as text; sources and reactions of particles that exchange nothing, against the solutions of their
// equations.
#include <gtest/gtest.h>

#include "tests/unit/support/test_transport.hpp"

namespace mesowarp::test {
namespace {

using input::Precision;
using transport::Reaction, transport::readReaction, transport::SoluteSource;

const std::vector<std::string> abc{"A", "B", "C", "2B"};

TEST(ReactionText, HasReactantsAndChanges) {
  Reaction r;
  ASSERT_EQ(readReaction("A + 2 B -> C : 0.5", abc, r), "");
  EXPECT_EQ(r.rate, 0.5);
  ASSERT_EQ(r.reactants.size(), 2u);
  EXPECT_EQ(r.reactants[1].solute, 1);
  EXPECT_EQ(r.reactants[1].number, 2);
  ASSERT_EQ(r.changes.size(), 3u);
  EXPECT_EQ(r.changes[0].number, -1);
  EXPECT_EQ(r.changes[1].number, -2);
  EXPECT_EQ(r.changes[2].number, 1);
  ASSERT_EQ(readReaction("A+A->2 A+B:1e-3", abc, r), "");  // a catalyst changes nothing of itself
  EXPECT_EQ(r.reactants[0].number, 2);
  ASSERT_EQ(r.changes.size(), 1u);
  EXPECT_EQ(r.changes[0].solute, 1);
  EXPECT_EQ(r.changes[0].number, 1);
  ASSERT_EQ(readReaction("C -> : 2", abc, r), "");  // decay
  EXPECT_EQ(r.changes[0].number, -1);
  ASSERT_EQ(readReaction(" -> C : 2", abc, r), "");  // from nothing
  EXPECT_TRUE(r.reactants.empty());
  ASSERT_EQ(readReaction("2B -> C : 2", abc, r), "");  // a name may begin with a digit
  EXPECT_EQ(r.reactants[0].solute, 3);
}

TEST(ReactionText, SaysWhatIsWrong) {
  Reaction r;
  EXPECT_EQ(readReaction("A + B = C : 1", abc, r), "there is no -> in it");
  EXPECT_EQ(readReaction("A + B -> C", abc, r), "there is no rate: write \"A + B -> C : 0.5\"");
  EXPECT_EQ(readReaction("A -> C : fast", abc, r), "its rate \"fast\" is no number >= 0");
  EXPECT_EQ(readReaction("A -> C : -1", abc, r), "its rate \"-1\" is no number >= 0");
  EXPECT_EQ(readReaction("A + -> C : 1", abc, r), "a solute's name is missing");
  EXPECT_NE(readReaction("A + D -> C : 1", abc, r).find("\"D\" is no solute of this deck"), std::string::npos);
  EXPECT_NE(readReaction("12 A -> C : 1", abc, r).find("stands there 12 times"), std::string::npos);
  EXPECT_EQ(readReaction("A + B -> B + A : 1", abc, r), "it changes nothing");
}

// Nothing is exchanged: every particle is a vessel of its own.
System vessels(int solutes, std::vector<std::string> reactions, double dt) {
  System s = transportFluid({Precision::double_, false, solutes, false});
  s.deck.run.timestep = dt;
  s.deck.lists.clear();
  for (auto& i : s.deck.interactions) i.own.get<transport::FluxKeys>().kappa = {0.0};
  for (int k = 0; k < solutes; ++k)
    addInitial(s.deck, initially(std::string("S").append(std::to_string(k)), 1.0 + 0.5 * k, 0.3, k % 3));
  s.deck.own.get<transport::TransportKeys>().reactions = std::move(reactions);
  return s;
}

// The largest deviation from what `exact(initial concentrations, t)` says of solute k. The state is that of half a step
// before the next one's.
template <class Exact>
double worstOf(const System& s, i64 last, std::size_t k, const Exact& exact) {
  const auto engine = s.engine();
  engine->rebuildIfDue(0);
  const auto before = soluteState(*engine, s.deck);
  advance(*engine, 0, last);
  const auto after = soluteState(*engine, s.deck);
  const double t = (static_cast<double>(last) + 0.5) * s.deck.run.timestep;
  double worst = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i)
    worst = std::max(worst, std::abs(after[i].concentration[k] - exact(before[i].concentration, t)));
  EXPECT_EQ(engine->failure(), std::nullopt);
  return worst;
}

TEST(TransportReactions, DecayIsExponentialInSecondOrder) {
  const auto exact = [](const std::vector<double>& c, double t) { return c[0] * std::exp(-3.0 * t); };
  const double coarse = worstOf(vessels(1, {"S0 -> : 3"}, 0.004), 99, 0, exact);
  const double fine = worstOf(vessels(1, {"S0 -> : 3"}, 0.002), 199, 0, exact);
  EXPECT_LT(coarse, 2e-5);
  EXPECT_NEAR(coarse / fine, 4.0, 0.3);
}

// A + B -> C: A - B and A + C stay; with d = A0 - B0, A(t) = A0 d / (A0 - B0 exp(-d k t)).
TEST(TransportReactions, TwoReactantsFollowTheirEquation) {
  const auto a = [](const std::vector<double>& c, double t) {
    const double d = c[0] - c[1];
    return std::abs(d) < 1e-12 ? c[0] / (1.0 + 2.0 * c[0] * t) : c[0] * d / (c[0] - c[1] * std::exp(-2.0 * d * t));
  };
  const std::vector<std::string> text{"S0 + S1 -> S2 : 2"};
  EXPECT_LT(worstOf(vessels(3, text, 0.002), 200, 0, a), 1e-5);
  EXPECT_LT(worstOf(vessels(3, text, 0.002), 200, 2, [&](const auto& c, double t) { return c[2] + c[0] - a(c, t); }),
            1e-5);
}

// Of more than twelve solutes, sums lie in several places; S0 -> S13 -> S25 is a chain through them.
TEST(TransportReactions, ReachAllSolutes) {
  const auto exact = [](const std::vector<double>& c, double t) {
    return (c[13] + 2.0 * c[0]) * std::exp(-t) - 2.0 * c[0] * std::exp(-2.0 * t);
  };
  EXPECT_LT(worstOf(vessels(26, {"S0 -> S13 : 2", "S13 -> S25 : 1"}, 0.002), 200, 13, exact), 1e-5);
}

// dC/dt = a + b C in a sphere, a on particles of one species beside it.
TEST(TransportSources, ActWhereTheDeckSays) {
  System s = vessels(1, {}, 0.002);
  s.deck.lists.erase("concentration");
  SoluteSource inSphere;
  inSphere.solute = "S0", inSphere.rate = 2.0, inSphere.linear = -1.5;
  inSphere.shape = transport::Shape::sphere, inSphere.center = {0.3, 3.0, 5.4}, inSphere.radius = 2.0;
  SoluteSource onSpecies;
  onSpecies.solute = "S0", onSpecies.rate = 1.0, onSpecies.species = "B";
  addSource(s.deck, inSphere), addSource(s.deck, onSpecies);
  for (auto& p : s.deck.populations) p.mass = 1e12;  // they hardly move
  for (auto& v : s.particles.velocity) v = {0.0, 0.0, 0.0};
  const auto engine = s.engine();
  advance(*engine, 0, 100);
  const double t = 100.5 * 0.002;
  int inside = 0;
  for (const auto& row : soluteState(*engine, s.deck)) {
    const std::array<double, 3> size = s.deck.box.size;
    double r2 = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {  // the nearest image
      const double d = std::ldexp(static_cast<double>(row.position[c]), -64) * size[c] - inSphere.center[c];
      r2 += std::pow(d - size[c] * std::round(d / size[c]), 2);
    }
    const double own = row.species == 1 ? 1.0 : 0.0, rate = own + (r2 < 4.0 ? 2.0 : 0.0);
    inside += r2 < 4.0 ? 1 : 0;
    EXPECT_NEAR(row.concentration[0], r2 < 4.0 ? rate / 1.5 * (1.0 - std::exp(-1.5 * t)) : rate * t, 1e-6);
  }
  EXPECT_NEAR(inside, 1200 * 4.0 / 3.0 * M_PI * 8.0 / 396.0, 25.0);
}

}  // namespace
}  // namespace mesowarp::test
