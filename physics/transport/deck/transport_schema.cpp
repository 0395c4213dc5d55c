// What transport adds to the deck's grammar.
#include "physics/transport/deck/transport_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "physics/transport/deck/wall_concentrations.hpp"

namespace mesowarp::transport {
namespace {

using namespace input;

const std::vector<std::string> axes{"x", "y", "z"}, tdpd{InteractionStyle::tdpd};

// Keys of the region, of a part that is one.
template <class Part>
void addRegion(std::vector<Key<Part>>& fields) {
  const auto member = [](auto FilledRegion::*m) {
    return static_cast<std::remove_reference_t<decltype(FilledRegion().*m)> Part::*>(m);
  };
  fields.push_back(choice("region", member(&FilledRegion::shape), {"everywhere", "box", "sphere", "cylinder"})
                       .means("where; the keys of the shape follow"));
  fields.push_back(bind(Type::numbers, "low", member(&FilledRegion::low))
                       .only("region", {"box"})
                       .in("length")
                       .need()
                       .means("corner"));
  fields.push_back(bind(Type::numbers, "high", member(&FilledRegion::high))
                       .only("region", {"box"})
                       .in("length")
                       .need()
                       .means("corner"));
  fields.push_back(bind(Type::numbers, "center", member(&FilledRegion::center))
                       .only("region", {"sphere", "cylinder"})
                       .in("length")
                       .need()
                       .means("cylinder: a point of its axis; the nearest image counts"));
  fields.push_back(bind(Type::number, "radius", member(&FilledRegion::radius))
                       .only("region", {"sphere", "cylinder"})
                       .above(0)
                       .in("length")
                       .need()
                       .means("of the sphere or cylinder"));
  fields.push_back(
      choice("axis", member(&FilledRegion::axis), axes).only("region", {"cylinder"}).means("along which it lies"));
}

template <class Part>
Key<Part> soluteName() {
  return bind(Type::name, "solute", &Part::solute).need().means("one of transport.solutes");
}
template <class Part>
Key<Part> speciesName() {
  return bind(Type::name, "species", &Part::species).orElseNot("all").means("of particles: only these");
}

Block<Deck> transportBlock() {
  std::vector<Key<TransportKeys>> fields{
      bind(Type::names, "solutes", &TransportKeys::solutes).need().means("names of the dissolved species, 1 to 64"),
      bind(Type::boolean, "random_flux", &TransportKeys::randomFlux)
          .means("with Q^R = m_s sqrt(kappa rho (C_i + C_j) / dt) w_RC zeta"),
      bind(Type::list, "solute_mass", &TransportKeys::soluteMass)
          .orElseNot("needed with random_flux")
          .from(0)
          .means("m_s, in masses of a particle, of each solute, or one for all"),
      bind(Type::number, "density", &TransportKeys::density)
          .from(0)
          .in("1 / volume")
          .derived("of all particles in the box")
          .means("rho of the random flux"),
      bind(Type::number, "flux_range", &TransportKeys::fluxRange)
          .from(0)
          .in("concentration / time")
          .derived("from kappa and the initial concentrations")
          .means("the flux of a pair must stay below it where sums are in fixed point (`bitwise`)"),
      bind(Type::texts, "reactions", &TransportKeys::reactions)
          .orElseNot("none")
          .means("by mass action: \"A + 2 B -> C : 0.5\" has the rate 0.5 [A] [B]^2; a side may be empty")};
  BlockInfo info{"transport", false, false, "",
                 "Species dissolved in the particles of a tdpd fluid: their concentrations."};
  info.onlyGiven = true;
  return ownBlock<TransportKeys>(std::move(info), std::move(fields));
}

Block<OwnItem> sourceBlock() {
  std::vector<Key<SoluteSource>> fields{
      soluteName<SoluteSource>(),
      bind(Type::number, "rate", &SoluteSource::rate).in("concentration / time").means("a of dC/dt = a + b C"),
      bind(Type::number, "linear", &SoluteSource::linear).in("1 / time").means("b of dC/dt = a + b C; below 0: a sink"),
      speciesName<SoluteSource>()};
  addRegion(fields);
  BlockInfo info{"source", true, false, "",
                 "Concentration that is made or lost in a region, or in particles of a species. Several add up."};
  return ownList<SoluteSource>(std::move(info), std::move(fields));
}

Block<OwnItem> concentrationBlock() {
  using Keys = InitialConcentration;
  std::vector<Key<Keys>> fields{
      soluteName<Keys>(),
      bind(Type::number, "value", &Keys::value).in("concentration").means("in the middle of the box"),
      bind(Type::numbers, "gradient", &Keys::gradient)
          .in("concentration / length")
          .means("added: gradient times the place, from the middle of the box on"),
      bind(Type::number, "wave_amplitude", &Keys::amplitude).in("concentration").means("added: a sine along wave_axis"),
      choice("wave_axis", &Keys::waveAxis, axes).means("of the sine"),
      bind(Type::integer, "wave_periods", &Keys::periods).from(1).to(1e6).means("of the sine, in the box"),
      speciesName<Keys>()};
  addRegion(fields);
  BlockInfo info{"concentration", true, false, "",
                 "What a solute begins with, in a region or in particles of a species, instead of its population's. A "
                 "later block overrides an earlier one."};
  return ownList<Keys>(std::move(info), std::move(fields));
}

Block<OwnItem> wallConcentrationBlock() {
  using Keys = WallConcentration;
  std::vector<Key<Keys>> fields{
      bind(Type::name, "wall", &Keys::wall).need().means("one of the [[wall]] blocks"), soluteName<Keys>(),
      choice("style", &Keys::noFlux, {"fixed", "no-flux"})
          .means("fixed: the concentration at the surface is `value`; no-flux: nothing passes"),
      bind(Type::number, "value", &Keys::value)
          .only("style", {"fixed"})
          .from(0)
          .in("concentration")
          .means("at the surface")};
  BlockInfo info{"wall_concentration", true, false, "",
                 "What a wall does to a solute. Without: frozen particles keep what [[concentration]] says, 0 if "
                 "nothing does; a wall without particles lets nothing pass."};
  return ownList<Keys>(std::move(info), std::move(fields));
}

void addFluxes(Block<Interaction>& block) {
  block.say("style", "; tdpd: dpd, and fluxes -kappa w_DC (C_i - C_j) of the solutes, w_DC = (1 - r/r_cc)^s_c");
  for (const char* key : {"a", "gamma", "sigma", "cutoff", "exponent"}) block.alsoFor(key, "style", "dpd", tdpd);
  block.add(inOwn<Interaction>(bind(Type::list, "kappa", &FluxKeys::kappa)
                                   .only("style", tdpd)
                                   .from(0)
                                   .in("1 / time")
                                   .need()
                                   .means("strength of the flux of each solute, or one for all")));
  block.add(inOwn<Interaction>(bind(Type::number, "flux_cutoff", &FluxKeys::cutoff)
                                   .only("style", tdpd)
                                   .above(0)
                                   .in("length")
                                   .derived("cutoff")
                                   .means("r_cc of the fluxes, below or above cutoff")));
  block.add(inOwn<Interaction>(bind(Type::number, "flux_exponent", &FluxKeys::exponent)
                                   .only("style", tdpd)
                                   .above(0)
                                   .to(10)
                                   .means("s_c of w_DC")));
}

}  // namespace

std::vector<const Block<Deck>*> ownBlocks(const MethodBlocks& owner) {
  static Block<Deck> block = transportBlock();
  block.owner = &owner;
  return {&block};
}

std::vector<const Block<OwnItem>*> ownLists(const MethodBlocks& owner) {
  static Block<OwnItem> source = sourceBlock(), concentration = concentrationBlock(), wall = wallConcentrationBlock();
  source.owner = concentration.owner = wall.owner = &owner;
  return {&source, &concentration, &wall};
}

void extend(SharedBlocks& blocks, const std::vector<std::string>& kinds) {
  addFluxes(blocks.of<Interaction>());
  blocks.of<Population>().add(inOwn<Population>(bind(Type::list, "concentration", &SoluteKeys::concentration)
                                                    .only("kind", kinds)
                                                    .orElseNot("0")
                                                    .from(0)
                                                    .in("concentration")
                                                    .means("of each solute, or one for all, at the start")));
  blocks.of<Output>().addChoices("columns", ownColumns(),
                                 "; solutes: total_NAME of each, the sum over particles that are not frozen");
  blocks.of<Output>().addChoices("fields", {"concentration"}, "; concentration: of each solute");
  blocks.of<Measure>().addChoices("quantities", {"concentration"},
                                  "; concentration: of each solute, its mean over particles");
}

std::vector<std::string> ownColumns() { return {"solutes"}; }

std::vector<std::string> namedBy(const Deck& deck, const std::string& word) {
  const char* const front = word == "solutes" ? "total_" : word == "concentration" ? "concentration_" : nullptr;
  if (!front) return {word};
  std::vector<std::string> all;
  for (const auto& solute : transportOf(deck).solutes) all.push_back(front + solute);
  return all;
}

}  // namespace mesowarp::transport
