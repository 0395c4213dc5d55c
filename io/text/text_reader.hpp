// Reads a text file of words line by line; every error names the file and the line.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace mesowarp::io {

class TextReader {
public:
  // Throws InputError if the file cannot be read.
  explicit TextReader(const std::string& path);

  // Goes to the next line, whatever it holds; false at the end of the file.
  bool next();
  // Goes to the next line that has words.
  bool nextFilled();

  // The words before a '#', and the text behind it.
  const std::vector<std::string_view>& words() const { return words_; }
  std::string_view comment() const { return comment_; }
  // The words with one space in between.
  std::string text() const;

  // A word as a finite number, as an integer in [low, high]; `what` names it in the error.
  double real(std::size_t word, std::string_view what) const;
  std::int64_t integer(std::size_t word, std::string_view what, std::int64_t low, std::int64_t high) const;

  std::int64_t line() const { return line_; }
  // Throws InputError "path:line: message".
  [[noreturn]] void fail(const std::string& message) const;

private:
  std::string path_;
  std::ifstream in_;
  std::int64_t line_ = 0;
  std::string raw_;
  std::vector<std::string_view> words_;
  std::string_view comment_;
};

}  // namespace mesowarp::io
