import CockpitSession

/// Rewrites argument forms that ArgumentParser does not support: an option before the verb,
/// `--demo` with and without a scenario, `--from-history` with and without a file.
enum Arguments {
  /// The arguments after the program name.
  ///
  /// - Parameter words: the arguments of the process, with the program name.
  /// - Throws: `Failure` if there is not even a name: on Linux the Swift runtime reads the
  ///   arguments from `/proc`, and Foundation, which finds the program's own file there, traps if
  ///   it is not mounted.
  static func given(_ words: [String]) throws(Failure) -> [String] {
    guard !words.isEmpty else {
      throw Failure(
        .failed,
        "the arguments cannot be read because /proc is not mounted; mount it with"
          + " 'mount -t proc proc /proc'")
    }
    return Array(words.dropFirst())
  }

  /// - Parameters:
  ///   - arguments: without the program name.
  ///   - isVerb: whether a word is the name of a subcommand.
  ///   - nested: the subcommands of a verb, such as `list` of `facts`; nil if it has none.
  ///   - scenarios: the values of `--demo`.
  ///   - withValue: options that take a value, so that the value is not mistaken for a verb. Called
  ///     only if needed: it takes longer than a frame.
  static func rewritten(
    _ arguments: [String], isVerb: (String) -> Bool, nested: (String) -> [String]?,
    scenarios: Set<String>, withValue: () -> Set<String>
  ) -> [String] {
    // The completion scripts ask for values in a language of their own.
    if arguments.first == "---completion" {
      // The options without a verb are those of the cockpit (`CompletedProgram`).
      let isWithoutVerb = arguments.dropFirst().first == "--"
      return isWithoutVerb
        ? [arguments[0], "open"] + arguments.dropFirst()
        : arguments
    }
    var result = withNegativeNumbers(
      withRecording(withScenario(arguments, scenarios)), withValue)
    guard let verb = moveVerb(to: 0, in: &result, isVerb, withValue) else { return result }
    if let verbs = nested(verb) { _ = moveVerb(to: 1, in: &result, verbs.contains, withValue) }
    return result
  }

  /// `--url X tail` means `tail --url X`: the verb is the first word that is no option's value.
  ///
  /// - Returns: the verb; nil if that word is none, or when there is no such word.
  private static func moveVerb(
    to place: Int, in words: inout [String], _ isVerb: (String) -> Bool,
    _ withValue: () -> Set<String>
  ) -> String? {
    guard place < words.count else { return nil }
    if isVerb(words[place]) { return words[place] }
    guard words[place].hasPrefix("-"), words[place...].contains(where: isVerb),
      let index = firstWord(in: words, from: place, withValue: withValue()),
      isVerb(words[index])
    else { return nil }
    let word = words.remove(at: index)
    words.insert(word, at: place)
    return word
  }

  /// Where the first word is that is neither an option nor the value of one; nil if there is none.
  ///
  /// - Parameter withValue: options that take a value.
  static func firstWord(
    in words: [String], from place: Int, withValue: Set<String>
  ) -> Int? {
    var index = place
    while index < words.count {
      let word = words[index]
      if withValue.contains(word) {
        index += 2
      } else if word.hasPrefix("-") {
        // Words after it are never verbs.
        if word == "--" { return nil }
        index += 1
      } else {
        return index
      }
    }
    return nil
  }

  /// `-n -1` means `-n=-1`: the parser mistakes a word with a dash for an option, and would report
  /// a missing number instead of a wrong one.
  private static func withNegativeNumbers(
    _ arguments: [String], _ withValue: () -> Set<String>
  ) -> [String] {
    guard arguments.contains(where: isNegativeNumber) else { return arguments }
    let withValue = withValue()
    var result: [String] = []
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    for (index, word) in arguments.enumerated() {
      if index < end, isNegativeNumber(word), let option = result.last, withValue.contains(option) {
        result[result.count - 1] = "\(option)=\(word)"
      } else {
        result.append(word)
      }
    }
    return result
  }

  /// `-1`, `-5m`, `-.5`: no option begins like this.
  static func isNegativeNumber(_ word: String) -> Bool {
    guard word.first == "-", let next = word.dropFirst().first else { return false }
    return next.isASCII && next.isNumber || next == "."
  }

  /// `--from-history` without a file means the recording of the bot. A word after it is a file when it has a slash or
  /// an ending of a recording: `why --from-history last` asks about the last answer.
  private static func withRecording(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var result: [String] = []
    for (index, word) in arguments.enumerated() {
      result.append(word)
      guard index < end, word == "--from-history" else { continue }
      let next = arguments.indices.contains(index + 1) ? arguments[index + 1] : ""
      let isFile =
        !next.hasPrefix("-")
        && (next.contains("/") || next.hasSuffix(".flight") || next.hasSuffix(".db"))
      if !isFile { result.append(PastOptions.ofBot) }
    }
    return result
  }

  private static func withScenario(_ arguments: [String], _ scenarios: Set<String>) -> [String] {
    var result: [String] = []
    for (index, word) in arguments.enumerated() {
      result.append(word)
      guard word == "--demo" else { continue }
      let next = arguments.indices.contains(index + 1) ? arguments[index + 1] : nil
      if next.map({ !scenarios.contains($0) }) ?? true { result.append("story") }
    }
    return result
  }
}
