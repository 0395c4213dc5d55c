#include "input/grammar/resolved.hpp"

#include "input/schema.hpp"
#include "input/species.hpp"

namespace mesowarp::input {
namespace {

template <class T>
void write(std::string& text, const Block<T>& schema, const T& object) {
  text += (text.empty() ? "" : "\n") + (schema.many ? "[[" + schema.name + "]]\n" : "[" + schema.name + "]\n");
  for (const auto& field : schema.fields) {
    if (!applies(schema, field, object)) continue;
    const Value value = field.get(object);
    if (field.optional && value == field.get(T{})) continue;
    text += field.key + " = " + tomlText(value) + "\n";
  }
}

}  // namespace

std::string resolvedText(const Deck& deck) {
  std::string text;
  const Method method = methodOf(deck);
  const auto writeAll = [&]<class T, class M>(const Block<T>& schema, M Deck::*member) {
    if (schema.only.value_or(method) != method) return;
    if constexpr (std::is_same_v<M, T>)
      write(text, schema, deck.*member);
    else
      for (const T& object : deck.*member) write(text, schema, object);
  };
  forEachBlock(writeAll);
  return text;
}

}  // namespace mesowarp::input
