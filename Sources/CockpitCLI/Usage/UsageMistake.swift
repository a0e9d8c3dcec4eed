import ArgumentParser
import CockpitDemo
import CockpitFiles

/// The words that a command line may have, as the parser knows them.
struct Vocabulary: Sendable {
  private let commands: [any ParsableCommand.Type]
  /// Options that take a value. Computed on demand: it takes longer than a frame.
  let withValue: @Sendable () -> Set<String>
  /// The values of `--demo`.
  let scenarios = DemoChoice.allValueStrings

  init(_ root: any ParsableCommand.Type, withValue: @escaping @Sendable () -> Set<String>) {
    commands = root.configuration.subcommands
    self.withValue = withValue
  }

  /// The verbs, `help` among them.
  var top: [String] { commands.map { $0._commandName } + ["help"] }

  /// Whether a word is a verb. Stops at the first such name: each name costs the configuration of its
  /// command, and all of them a tenth of the parsing.
  func isVerb(_ word: String) -> Bool {
    word == "help" || commands.contains { $0._commandName == word }
  }

  /// The verbs below a verb, as `list` below `facts`; nil if there are none.
  func nested(below verb: String) -> [String]? {
    let command = commands.first { $0._commandName == verb }
    let names = command?.configuration.subcommands.map { $0._commandName } ?? []
    return names.isEmpty ? nil : names
  }

  /// A command line as the parser reads it.
  func rewritten(_ given: [String]) -> [String] {
    Arguments.rewritten(
      given, isVerb: isVerb, nested: nested(below:), scenarios: Set(scenarios),
      withValue: withValue)
  }
}

/// An error in a command line: one sentence with a suggestion, and the help to read.
struct UsageMistake {
  /// The words after the program's name, as they were typed.
  private let given: [String]
  /// The same as the parser gets them.
  private var words: [String] { verbs.rewritten(given) }
  private let verbs: Vocabulary
  private var scenarios: [String] { verbs.scenarios }

  init(_ given: [String], _ verbs: Vocabulary) {
    self.given = given
    self.verbs = verbs
  }

  /// - Parameter text: the parser's message. It blames the option after a mistyped verb, and lists
  ///   an option's values line by line.
  func sentence(_ text: String) -> String {
    var sentence =
      unknownScenario(text) ?? unknownVerb(text) ?? negativeNumber(text) ?? Self.oneLine(text)
    if let last = sentence.last, !".!?".contains(last) { sentence += "." }
    return "\(sentence) See '\(help)'."
  }

  /// Why `help` has nothing to show; nil if it has. The parser shows the help of the program then.
  var helpless: String? {
    guard given.contains("help") else { return nil }
    let words = words
    guard words.first == "help" else { return nil }
    let path = words.dropFirst().prefix { !$0.hasPrefix("-") }
    guard let verb = path.first else { return nil }
    guard verbs.isVerb(verb) else { return sentence(unknown(verb, below: nil)) }
    guard let below = path.dropFirst().first, let known = verbs.nested(below: verb),
      !known.contains(below)
    else { return nil }
    return sentence(unknown(below, below: verb))
  }

  /// The verbs that were understood.
  private var path: [String] {
    let all = words
    let words = all.first == "help" ? all.dropFirst() : all[...]
    guard let verb = words.first, verbs.isVerb(verb) else { return [] }
    let below = words.dropFirst().first.flatMap { word in
      verbs.nested(below: verb)?.contains(word) == true ? word : nil
    }
    return [verb] + (below.map { [$0] } ?? [])
  }

  private var help: String { (["clanky-cockpit"] + path + ["--help"]).joined(separator: " ") }

  private func unknownVerb(_ text: String) -> String? {
    let path = path
    let words = words
    // The verbs that take no further verb have words of their own.
    guard words.first != "help",
      path.isEmpty || path.count == 1 && verbs.nested(below: path[0]) != nil,
      let index = Arguments.firstWord(
        in: words, from: path.count, withValue: verbs.withValue())
    else { return nil }
    // The word may be the value of an option that does not exist.
    let isAfterOption = words[..<index].contains { text.contains("Unknown option '\($0)'") }
    return isAfterOption ? nil : unknown(words[index], below: path.first)
  }

  private func unknown(_ word: String, below verb: String?) -> String {
    let known = verb.map { verbs.nested(below: $0) ?? [] } ?? verbs.top
    let prefix = verb.map { "\($0) " } ?? ""
    let guess = word.nearest(of: known).map { "; did you mean '\(prefix)\($0)'?" }
    return "Unexpected argument '\(word)'" + (guess ?? ": there is no such verb")
  }

  /// Whether the word after `--demo` is a mistyped scenario.
  private func unknownScenario(_ text: String) -> String? {
    guard text.contains("nexpected argument"),
      let index = given.firstIndex(of: "--demo"), index + 1 < given.count
    else { return nil }
    let word = given[index + 1]
    guard !word.hasPrefix("-"), text.contains("'\(word)'"), !verbs.isVerb(word),
      !scenarios.contains(word)
    else { return nil }
    let guess = word.nearest(of: scenarios).map { "; did you mean '\($0)'? There are: " }
    return "--demo has no scenario '\(word)'" + (guess ?? "; there are: ")
      + scenarios.joined(separator: ", ")
  }

  /// The parser takes `-1` for an option and misses the argument.
  private func negativeNumber(_ text: String) -> String? {
    guard let start = text.firstRange(of: "Missing expected argument '")?.upperBound,
      let end = text[start...].firstIndex(of: "'"),
      let word = words.first(where: Arguments.isNegativeNumber)
    else { return nil }
    return "The value '\(word)' is invalid for '\(text[start..<end])'"
  }

  private static func oneLine(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
    let items = lines.filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
    let words = lines.filter { !$0.hasPrefix("- ") }.map(String.init)
    return (words + (items.isEmpty ? [] : [items.joined(separator: ", ")])).joined(separator: " ")
  }
}
