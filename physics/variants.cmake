# Sources that differ in a few words: each is made of a template beside the headers it includes, and compiled as any
# other.

set(variants "")
# mesowarp_variant(TEMPLATE OUTPUT): with the variables that the template names.
macro(mesowarp_variant template output)
  set(variant ${PROJECT_BINARY_DIR}/generated/${output})
  configure_file(${PROJECT_SOURCE_DIR}/physics/${template} ${variant} @ONLY)
  list(APPEND variants ${variant})
endmacro()

# mesowarp_box_forces(NAME PRECISION MATH SUM…): ways of computing and adding up the forces of particles in a box, with
# all pair forces and bonds (physics/fluid/box_forces.hpp says which one a deck gets), in one source.
function(mesowarp_box_forces name P MATH)
  foreach(sum IN LISTS ARGN)
    if(sum MATCHES "^(PlainSum|FixedSum)")
      string(APPEND BLOCKS "\nMESOWARP_PAIR_BLOCKS(extern, ${P}, ${sum})")
    endif()
    string(APPEND FORCES "\ntemplate std::unique_ptr<BoxForces<${P}>>\n"
      "makeBoxForcesOf<${P}, ${sum}, math::${MATH}>(const input::Deck&, i64);")
    if(MESOWARP_CUDA)
      foreach(force IN LISTS MESOWARP_APART_${name})
        string(APPEND ELSEWHERE "\nextern template class PairPhaseOf<${P}, ${force}, ${sum}>;")
        string(APPEND HERE "\ntemplate class PairPhaseOf<${P}, ${force}, ${sum}>;")
      endforeach()
    endif()
  endforeach()
  mesowarp_variant(fluid/box_forces.device.cpp.in fluid/box_forces_${name}.device.cpp)
  if(HERE)
    mesowarp_variant(fluid/box_forces_apart.device.cpp.in fluid/box_forces_${name}_apart.device.cpp)
    mesowarp_keep_order_of_source(${variant})
  endif()
  set(variants ${variants} PARENT_SCOPE)
endfunction()

# DPD with `pair_noise = "multiply"` in single precision, the fastest there is, gains from another order of instructions
# on a GPU (mesowarp_keep_order_of_source), so there it is compiled apart. Without this one command it is compiled as
# the others are.
set(MESOWARP_APART_single "DpdForce<float, true, MultiplyMixing, math::Hardware>"
  "DpdForce<float, false, MultiplyMixing, math::Hardware>")

mesowarp_box_forces(single SinglePrecision Hardware PlainSum<float>)
mesowarp_box_forces(single_fixed SinglePrecision Portable FixedSum<float>)
mesowarp_box_forces(single_wide SinglePrecision Hardware WideSum<float> TakahashiIitakaSum<float>)
mesowarp_box_forces(single_nitadori SinglePrecision Hardware NitadoriSum<float> ModifiedNitadoriSum<float>)
mesowarp_box_forces(mixed MixedPrecision Hardware PlainSum<double>)
mesowarp_box_forces(mixed_fixed MixedPrecision Portable FixedSum<double>)
mesowarp_box_forces(double DoublePrecision Hardware PlainSum<double>)
mesowarp_box_forces(double_fixed DoublePrecision Portable FixedSum<double>)

# mesowarp_forces_apart(TEMPLATE OUTPUT): forces in sources of their own, OUTPUT_WAY.device.cpp for each usual way of
# adding up.
function(mesowarp_forces_apart template output)
  foreach(way "single SinglePrecision PlainSum<float> Hardware" "single_fixed SinglePrecision FixedSum<float> Portable"
          "mixed MixedPrecision PlainSum<double> Hardware" "mixed_fixed MixedPrecision FixedSum<double> Portable"
          "double DoublePrecision PlainSum<double> Hardware" "double_fixed DoublePrecision FixedSum<double> Portable")
    separate_arguments(way)
    list(POP_FRONT way name P SUM MATH)
    mesowarp_variant(${template} ${output}_${name}.device.cpp)
  endforeach()
  set(variants ${variants} PARENT_SCOPE)
endfunction()

mesowarp_forces_apart(fluid/apart/transport.device.cpp.in transport/forces)
mesowarp_forces_apart(fluid/apart/conservative.device.cpp.in pair/forces_conservative)
if(NOT MESOWARP_CUDA)
  mesowarp_forces_apart(fluid/pair_blocks.device.cpp.in fluid/pair_blocks)
endif()

# mesowarp_body_force(NAME HEADER SOURCE [MORE]): a force law of bodies with all the sums that are offered: make<NAME>()
# of physics/nbody/body_force.hpp. SOURCE: of S, Split and M, see body_force_impl.hpp.
function(mesowarp_body_force NAME HEADER SOURCE)
  set(MORE "${ARGN}")
  mesowarp_variant(nbody/body_force.device.cpp.in nbody/body_force_${NAME}.device.cpp)
  set(variants ${variants} PARENT_SCOPE)
endfunction()

mesowarp_body_force(Gravity gravity_source.hpp "GravitySource<S, Split, false, M>" "
template double gravityPotentialOf<math::Portable>(const ForceSettings&, const PotentialQuestion&);
template double gravityPotentialOf<math::HardwareLanes>(const ForceSettings&, const PotentialQuestion&);
")
mesowarp_body_force(GravityWithJerk gravity_source.hpp "GravitySource<S, Split, true, M>")
mesowarp_body_force(LennardJones lj_coulomb_source.hpp "LennardJonesCoulombSource<S, Split, Dielectric::none, M>")
mesowarp_body_force(ConstantDielectric lj_coulomb_source.hpp
  "LennardJonesCoulombSource<S, Split, Dielectric::constant, M>")
mesowarp_body_force(LinearDielectric lj_coulomb_source.hpp "LennardJonesCoulombSource<S, Split, Dielectric::linear, M>")
mesowarp_body_force(SigmoidalDielectric lj_coulomb_source.hpp
  "LennardJonesCoulombSource<S, Split, Dielectric::sigmoidal, M>")

foreach(family fluid/box_forces fluid/pair_blocks pair/forces_conservative transport/forces)
  set(pair_loops ${variants})
  list(FILTER pair_loops INCLUDE REGEX "/generated/${family}_[^/]*$")
  list(FILTER variants EXCLUDE REGEX "/generated/${family}_[^/]*$")
  mesowarp_batches(mesowarp_physics/${family} pair_loops)
  mesowarp_schedule_early(${pair_loops})
  list(APPEND variants ${pair_loops})
endforeach()
mesowarp_mark_device_sources(${variants})
target_sources(mesowarp_physics PRIVATE ${variants})
