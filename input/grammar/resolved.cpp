#include "input/grammar/resolved.hpp"

#include "input/schema.hpp"

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
  const auto methods = methodsOf(deck);
  const auto writeAll = [&]<class T>(const Block<T>& schema, auto place) {
    if (!isFor(methods, schema) || (schema.unusual && !isGiven(deck, schema.name))) return;
    const auto& part = memberOf(deck, place);
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, T>)
      write(text, schema, part);
    else
      for (const T& object : part) write(text, schema, object);
  };
  forEachBlock(writeAll);
  return text;
}

}  // namespace mesowarp::input
