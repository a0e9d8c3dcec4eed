/// What ArgumentParser cannot read as people write it: an option before the verb, and `--demo`
/// with and without a scenario.
enum Arguments {
  /// Options that take a value, so that the value is not taken for a verb.
  private static let withValue: Set<String> = [
    "--url", "--token-file", "--profile", "--ca-file", "--guild", "--config", "--color", "--theme",
    "--glyphs", "--demo", "--memory", "--tab", "--record",
  ]

  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - verbs: the names of the subcommands.
  ///   - scenarios: what may follow `--demo`.
  static func rewritten(
    _ arguments: [String], verbs: Set<String>, scenarios: Set<String>
  ) -> [String] {
    var result = withScenario(arguments, scenarios)
    // `--url X tail` means `tail --url X`: the verb is the first word that is no option's value.
    var index = 0
    while index < result.count {
      let word = result[index]
      if withValue.contains(word) {
        index += 2
      } else if word.hasPrefix("-") {
        index += 1
      } else {
        guard index > 0, verbs.contains(word) else { return result }
        result.remove(at: index)
        result.insert(word, at: 0)
        return result
      }
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
