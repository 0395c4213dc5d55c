// [[boundary]], [[drive]], [[output]].
#include "input/schema_blocks.hpp"

namespace mesowarp::input {
namespace {

const std::vector<std::string> axes{"x", "y", "z"};
// The columns that a table may have beside the step; src/run/recorders/thermo_recorder.cpp computes them.
const std::vector<std::string> tableColumns{
    "time",           "temperature",   "pressure",           "pressure_xx", "pressure_yy",
    "pressure_zz",    "pressure_xy",   "pressure_xz",        "pressure_yz", "potential_energy",
    "kinetic_energy", "total_energy",  "momentum_x",         "momentum_y",  "momentum_z",
    "net_force_x",    "net_force_y",   "net_force_z",        "wall_time",   "particle_steps_per_second",
    "rebuilds",       "mass_flow_x",   "mass_flow_y",        "mass_flow_z", "shear_stress",
    "viscosity",      "flow_velocity", "drive_acceleration", "volume",      "box_x",
    "box_y",          "box_z",         "surface_tension"};
const std::vector<std::string> usualColumns{
    "time",       "temperature", "pressure",   "potential_energy", "kinetic_energy",
    "momentum_x", "momentum_y",  "momentum_z", "wall_time",        "particle_steps_per_second"};

}  // namespace

const std::vector<std::string>& columnsOfTables() { return tableColumns; }

Block<Boundary> boundaryBlock() {
  return {
      {"boundary", true, false, "face",
       "What happens at a face of the box. Each face along an axis that is not periodic needs one."},
      {word("face", &Boundary::face, {"x", "y", "z", "x-", "x+", "y-", "y+", "z-", "z+"})
           .need()
           .means("- is the face at 0, + the one at box.size; the axis alone means both"),
       choice("style", &Boundary::style, {"periodic", "bounce-forward", "bounce-back"})
           .means("bounce-back: the velocity is reversed (no slip); bounce-forward: its normal part is (free slip)")}};
}

Block<Drive> driveBlock() {
  return {{"drive", true, false, "", "A body force on every particle. Several add up."},
          {choice("style", &Drive::style, {"constant", "double-poiseuille", "sine"})
               .means("double-poiseuille: opposite in the two halves of the box, for a viscosity without walls; sine: "
                      "one wave of a sine along the box"),
           bind(Type::numbers, "acceleration", &Drive::acceleration)
               .in("length / time^2")
               .need()
               .means("force per mass; double-poiseuille: in the lower half; sine: its amplitude"),
           choice("across", &Drive::across, axes)
               .only("style", {"double-poiseuille", "sine"})
               .need()
               .means("the axis that is cut into two halves, or has the wave")}};
}

Block<Output> outputBlock() {
  const std::vector<std::string> series{"table", "trajectory"};
  return {
      {"output", true, false, "format",
       "What is written: one table, one block of checkpoints, any number of trajectories. Without any: a table of "
       "about "
       "twenty rows. A final checkpoint is written in any case, unless the block of the checkpoint says at_end = "
       "false."},
      {choice("format", &Output::format, {"table", "trajectory", "checkpoint"})
           .need()
           .means("table: averages, CSV; trajectory: particles, H5MD, of each method in a file of its own; checkpoint: "
                  "to resume from, exactly"),
       bind(Type::name, "name", &Output::name)
           .only("format", {"trajectory"})
           .means("of its files, NAME.h5, NAME.xmf, …: each trajectory has one of its own"),
       bind(Type::integer, "every", &Output::every)
           .only("format", series)
           .from(0)
           .to(1e15)
           .in("steps")
           .means("0: only at the end"),
       bind(Type::integer, "every", &Output::every)
           .only("format", {"checkpoint"})
           .orElse(std::int64_t{0})
           .from(0)
           .to(1e15)
           .in("steps")
           .means("0: only at the end"),
       someOf("columns", &Output::columns, tableColumns)
           .only("format", {"table"})
           .orElse(usualColumns)
           .means("of the table, after the step; net_force: of particles on each other, without drives; "
                  "mass_flow: mass that passes a section across the axis in a unit of time; surface_tension: L_z (P_zz "
                  "- (P_xx + P_yy) / 2), of all interfaces across z together: half of it is one's where there are two"),
       someOf("fields", &Output::fields, {"position", "image", "velocity", "force", "species"})
           .only("format", {"trajectory"})
           .orElse(std::vector<std::string>{"position", "image", "velocity"})
           .means("what of each particle; species, mass and id come always"),
       bind(Type::names, "groups", &Output::groups)
           .only("format", {"trajectory"})
           .orElseNot("all particles")
           .means("particles of these [[group]] blocks alone, of particles in a box"),
       choice("precision", &Output::double_precision, {"single", "double"})
           .only("format", {"trajectory"})
           .means("of the numbers in the file"),
       bind(Type::boolean, "at_end", &Output::at_end).means("also at the last step")}};
}

}  // namespace mesowarp::input
