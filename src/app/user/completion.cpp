#include "app/user/completion.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

#include "core/version.hpp"

namespace mesowarp {
namespace {

using Options = std::vector<const CLI::Option*>;

std::vector<const CLI::App*> verbsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

Options optionsOf(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

std::vector<std::string> namesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

bool takesValue(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// Of an option that has only some: CLI11 says "TEXT:{one,two}".
std::string choicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  std::string words = type.substr(begin + 1, end - begin - 1);
  for (char& c : words)
    if (c == ',') c = ' ';
  return words;
}

std::string casesOfVerb(const CLI::App& verb) {
  std::vector<std::string> words, valued;
  std::string choices, positional;
  for (const CLI::Option* option : optionsOf(verb)) {
    const std::vector<std::string> names = namesOf(*option);
    words.insert(words.end(), names.begin(), names.end());
    if (names.empty()) positional += (positional.empty() ? "" : " ") + choicesOf(*option);
    if (names.empty() || !takesValue(*option)) continue;
    if (const std::string some = choicesOf(*option); !some.empty())
      choices += fmt::format("        {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n",
                             fmt::join(names, "|"), some);
    else
      valued.insert(valued.end(), names.begin(), names.end());
  }
  if (!valued.empty())
    choices += fmt::format("        {}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", fmt::join(valued, "|"));
  std::string text = fmt::format("    {})\n      options=\"{}\"\n      given=\"{}\"\n", verb.get_name(),
                                 fmt::join(words, " "), positional);
  if (!choices.empty()) text += "      case $before in\n" + choices + "      esac ;;\n";
  return choices.empty() ? text + "      ;;\n" : text;
}

// A backslash, and a line's first dot or quote, mean something to roff; a hyphen is to stay one.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string manualOfOptions(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : optionsOf(app)) {
    const std::vector<std::string> names = namesOf(*option);
    std::string heading = names.empty() ? option->get_name() : fmt::format("{}", fmt::join(names, ", "));
    if (!names.empty() && takesValue(*option)) heading += " " + option->get_type_name();
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(heading), roff(option->get_description()));
  }
  return text;
}

}  // namespace

std::string bashCompletion(const CLI::App& app) {
  std::vector<std::string> verbs;
  std::string cases;
  for (const CLI::App* verb : verbsOf(app)) {
    verbs.push_back(verb->get_name());
    cases += casesOfVerb(*verb);
  }
  for (const CLI::Option* option : optionsOf(app))
    for (const std::string& name : namesOf(*option)) verbs.push_back(name);
  return fmt::format(R"(# bash completion for mesowarp, written by `mesowarp completion bash`
_mesowarp() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} options given
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{}" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}    *) return ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$given" -- "$word"; compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _mesowarp mesowarp
)",
                     fmt::join(verbs, " "), cases);
}

std::string manualPage(const CLI::App& app) {
  std::string text = fmt::format(".TH MESOWARP 1 \"\" \"mesowarp {}\" \"User commands\"\n.SH NAME\nmesowarp \\- "
                                 "mesoscopic particle simulation on CPUs and GPUs\n.SH SYNOPSIS\n",
                                 Version::number);
  for (const CLI::App* verb : verbsOf(app))
    text += fmt::format(".B mesowarp {}\n[\\fIoptions\\fR]\n.br\n", roff(verb->get_name()));
  text += ".SH DESCRIPTION\nRuns one input deck (TOML): dissipative particle dynamics, transport DPD, multiparticle "
          "collision dynamics\nand direct N\\-body sums.\n";
  for (const CLI::App* verb : verbsOf(app))
    text += fmt::format(".SH \"MESOWARP {}\"\n{}\n{}", roff(verb->get_name()), roff(verb->get_description()),
                        manualOfOptions(*verb));
  return text + fmt::format(".SH NOTES\n{}\n", roff(app.get_footer()));
}

}  // namespace mesowarp
