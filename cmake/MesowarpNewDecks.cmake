# The decks of examples/new as a table in the program (src/app/user/new_deck.hpp), written when CMake runs.
file(GLOB new_decks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/new/*.toml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${new_decks})
string(CONCAT new_decks_source "// Written by cmake/MesowarpNewDecks.cmake from examples/new; do not edit.\n"
  "#include \"app/user/new_deck.hpp\"\n\nnamespace mesowarp {\n\nconst std::vector<NewDeck>& newDecks() {\n"
  "  static const std::vector<NewDeck> decks{\n")
foreach(deck IN LISTS new_decks)
  get_filename_component(kind ${deck} NAME_WE)
  file(READ ${deck} text)
  string(APPEND new_decks_source "      {\"${kind}\", R\"deck(${text})deck\"},\n")
endforeach()
string(APPEND new_decks_source "  };\n  return decks;\n}\n\n}  // namespace mesowarp\n")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/app/new_decks.cpp CONTENT "@new_decks_source@" @ONLY)
target_sources(mesowarp_app PRIVATE ${PROJECT_BINARY_DIR}/generated/app/new_decks.cpp)
