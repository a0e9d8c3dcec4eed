/// docs/commands.md: every verb with its options, from the parser.
struct CommandReference {
  var tree: CommandTree

  var markdown: String {
    let shared = tree.sharedOptions
    let sharedNames = Set(shared.flatMap(\.spellings))
    var lines = [
      "# Commands", "",
      "<!-- Written by `clanky-cockpit manual --markdown`; a test compares. Do not edit. -->", "",
      "Without a verb the cockpit opens. Every verb is the headless twin of something on screen.",
      "stdout carries data only, words for people go to stderr.", "",
      "Exit codes: 0 fine, 1 failed or nothing found, 2 usage or configuration, 3 no connection,",
      "4 authentication.", "",
      "`clanky-cockpit --spec` prints all of this as JSON, `clanky-cockpit tail --spec` that of one verb:",
      "[docs/agents.md](agents.md).", "", "## Everywhere", "",
      "Every verb that talks to a backend understands these.", "",
    ]
    lines += table(shared)
    for verb in tree.verbs {
      lines += ["", "## \(verb.name)", "", verb.command.abstract ?? "", "", "```sh", verb.synopsis]
      lines += ["```"]
      if let discussion = verb.command.discussion { lines += [""] + paragraphs(discussion) }
      let own = verb.shown.filter {
        $0.kind == .positional || !sharedNames.contains($0.spellings[0])
      }
      if !own.isEmpty { lines += [""] + table(own) }
      if verb.shown.contains(where: { sharedNames.contains($0.spellings.first ?? "") }) {
        lines += ["", "And the options of [everywhere](#everywhere)."]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func table(_ arguments: [CommandTree.Argument]) -> [String] {
    ["| | |", "|---|---|"]
      + arguments.map { argument in
        let name =
          argument.kind == .positional
          ? argument.value ?? ""
          : argument.spellings.joined(separator: ", ") + (argument.value.map { " \($0)" } ?? "")
        return
          "| `\(name.replacing("|", with: "\\|"))` | \(argument.help.replacing("|", with: "\\|")) |"
      }
  }

  /// Indented lines are commands.
  private func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.hasPrefix("  ")
      if isIndented != isCode {
        if isIndented, lines.last?.isEmpty == false { lines.append("") }
        lines.append(isIndented ? "```sh" : "```")
        if !isIndented, !line.isEmpty { lines.append("") }
      }
      isCode = isIndented
      lines.append(isIndented ? String(line.dropFirst(2)) : String(line))
    }
    if isCode { lines.append("```") }
    return lines
  }
}
