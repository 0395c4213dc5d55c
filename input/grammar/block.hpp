// A block of the deck: its description, and its parameters, to which methods may add.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "input/grammar/key.hpp"

namespace mesowarp::input {

class MethodBlocks;

struct BlockInfo {
  std::string name;
  bool many = false;  // [[name]], any number of them; else [name], once
  bool required = false;
  std::string nameKey;  // many: --set name.NAME.key=… finds the block by this key, besides by number
  std::string about;
  const MethodBlocks* owner = nullptr;  // the block is that method's own; null: of all methods that take it
  bool onlyGiven = false;               // a resolved deck has it only if the deck does: to be there means something
  std::string behind{};                 // Markdown, behind the table of its keys in the reference
};

// Adds a sentence, or a part of one, to a text: before this end of it, if one is named. The end must be there.
inline void addWords(std::string& text, const std::string& words, const std::string& before = "") {
  if (!text.ends_with(before)) throw std::logic_error("\"" + text + "\" does not end with \"" + before + "\"");
  text.insert(text.size() - before.size(), words);
}

template <class T>
struct Block : BlockInfo {
  std::vector<Key<T>> fields;

  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const auto& field : fields)
      if (all.empty() || all.back() != field.key) all.push_back(field.key);
    return all;
  }

  // What a method adds; each throws std::logic_error for a key that is not there.

  // A parameter behind the last of that key; empty: behind all.
  void add(Key<T> field, const std::string& after = "") {
    auto at = fields.end();
    if (!after.empty()) at = std::next(last(after));
    fields.insert(at, std::move(field));
  }
  // Further words for a choice, behind one of its words (empty: behind all), and what they mean.
  void addChoices(const std::string& key, const std::vector<std::string>& words, const std::string& meaning,
                  const std::string& after = "") {
    Key<T>& field = *last(key);
    const auto at = std::find(field.choices.begin(), field.choices.end(), after);
    field.choices.insert(at == field.choices.end() ? at : std::next(at), words.begin(), words.end());
    addWords(field.about, meaning);
  }
  // The parameter `key`, where it goes with the word `beside` of another key (empty: with any), goes with these, too.
  void alsoFor(const std::string& key, const std::string& other, const std::string& beside,
               const std::vector<std::string>& words) {
    bool found = false;
    for (auto& field : fields)
      for (When& when : field.when) {
        auto& values = when.values;
        const bool fits = beside.empty() || std::find(values.begin(), values.end(), beside) != values.end();
        if (field.key != key || when.key != other || !fits) continue;
        values.insert(values.end(), words.begin(), words.end());
        found = true;
      }
    if (!found) throw std::logic_error(name + "." + key + " does not go with " + beside);
  }
  void say(const std::string& key, const std::string& words, const std::string& before = "") {
    addWords(last(key)->about, words, before);
  }

private:
  auto last(const std::string& key) {
    const auto it = std::find_if(fields.rbegin(), fields.rend(), [&](const auto& field) { return field.key == key; });
    if (it == fields.rend()) throw std::logic_error("[" + name + "] has no " + key);
    return std::prev(it.base());
  }
};

// Whether a field applies to a block as it stands: its style has the parameter.
template <class T>
bool applies(const Block<T>& block, const KeyInfo& field, const T& object) {
  for (const When& condition : field.when)
    for (const auto& other : block.fields)
      if (other.key == condition.key && !condition.holds(other.get(object))) return false;
  return true;
}

// The value of a field that a deck leaves out.
template <class T>
Value defaultOf(const Key<T>& field) {
  return field.fallback ? *field.fallback : field.get(T{});
}

}  // namespace mesowarp::input
