#include "physics/membrane/deck/pose_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <map>

#include "core/error.hpp"

namespace mesowarp::membrane {
namespace {

class PoseFile {
public:
  PoseFile(const std::string& path, std::string population)
      : path_(path), population_(std::move(population)), in_(path) {
    if (!in_) throw InputError(path + " cannot be read");
  }

  std::vector<Pose> poses() {
    if (!next())
      fail("the file has no line of names: x, y, z and, for cells that are turned, normal_x, normal_y, "
           "normal_z or q_w, q_x, q_y, q_z");
    for (std::size_t k = 0; k < words_.size(); ++k) column_[words_[k]] = k;
    require({"x", "y", "z"});
    normal_ = has({"normal_x", "normal_y", "normal_z"}), turned_ = has({"q_w", "q_x", "q_y", "q_z"});
    while (next()) addRow();
    if (all_.empty()) fail("the file has no cells");
    const bool named = std::any_of(all_.begin(), all_.end(), [&](const Row& row) { return row.name == population_; });
    double last = -HUGE_VAL;
    for (const Row& row : all_)
      if (!named || row.name == population_) last = std::max(last, row.step);
    std::vector<Pose> some;
    for (const Row& row : all_)
      if ((!named || row.name == population_) && row.step == last) some.push_back(row.pose);
    return some;
  }

private:
  struct Row {
    Pose pose;
    double step = 0.0;
    std::string name;
  };

  bool next() {
    std::string text;
    while (std::getline(in_, text)) {
      ++line_;
      text = text.substr(0, text.find('#'));
      std::replace_if(
          text.begin(), text.end(), [](char c) { return c == ',' || c == '\t' || c == '\r'; }, ' ');
      words_.clear();
      for (std::size_t from = text.find_first_not_of(' '); from != std::string::npos;) {
        const std::size_t to = std::min(text.find(' ', from), text.size());
        words_.push_back(text.substr(from, to - from));
        from = text.find_first_not_of(' ', to);
      }
      if (!words_.empty()) return true;
    }
    return false;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", path_, line_, what));
  }
  bool has(const std::vector<std::string>& names) {
    const auto there =
        std::count_if(names.begin(), names.end(), [&](const std::string& name) { return column_.count(name) != 0; });
    if (there == 0) return false;
    require(names);
    return true;
  }
  void require(const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (column_.count(name) == 0) fail(fmt::format("there is no column \"{}\" among the names", name));
  }
  double number(const std::string& name) const {
    const std::string& word = words_[column_.at(name)];
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
      fail(fmt::format("{} = \"{}\" is no number", name, word));
    return value;
  }
  void addRow() {
    if (words_.size() != column_.size())
      fail(fmt::format("{} words, and there are {} names", words_.size(), column_.size()));
    Row row;
    if (normal_) {
      const Point normal{number("normal_x"), number("normal_y"), number("normal_z")};
      if (!(norm(normal) > 0.0)) fail(fmt::format("the normal of cell {} is zero", all_.size()));
      row.pose = towards(normal);
    }
    if (turned_) {
      const std::array<double, 4> q{number("q_w"), number("q_x"), number("q_y"), number("q_z")};
      if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0))
        fail(fmt::format("the quaternion of cell {} is zero", all_.size()));
      row.pose = turnedBy(q);
    }
    row.pose.centre = {number("x"), number("y"), number("z")};
    if (column_.count("step") != 0) row.step = number("step");
    if (column_.count("population") != 0) row.name = words_[column_.at("population")];
    all_.push_back(row);
  }

  std::string path_, population_;
  std::ifstream in_;
  int line_ = 0;
  std::vector<std::string> words_;
  std::map<std::string, std::size_t> column_;
  bool normal_ = false, turned_ = false;
  std::vector<Row> all_;
};

}  // namespace

std::vector<Pose> readPoses(const std::string& path, const std::string& population) {
  return PoseFile(path, population).poses();
}

}  // namespace mesowarp::membrane
