// What a method keeps of a deck for itself: values of its own types, which input/ does not know.
#pragma once

#include <any>
#include <map>
#include <typeindex>

namespace mesowarp::input {

// At most one value a type; one that nobody has set is a T{}. Copies are copies of the values.
class Own {
public:
  template <class T>
  T& get() {
    std::any& part = parts_[typeid(T)];
    if (!part.has_value()) part = T{};
    return *std::any_cast<T>(&part);
  }
  template <class T>
  const T& get() const {
    static const T unset{};
    const auto it = parts_.find(typeid(T));
    return it == parts_.end() ? unset : *std::any_cast<T>(&it->second);
  }

private:
  std::map<std::type_index, std::any> parts_;
};

}  // namespace mesowarp::input
