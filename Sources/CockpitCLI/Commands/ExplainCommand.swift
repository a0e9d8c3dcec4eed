import ArgumentParser
import CockpitAnswers
import CockpitSession
import LenientJSON
import TerminalCore

/// `explain`: the meaning of a term of the bot. It needs no backend and no configuration.
struct ExplainCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "What a kind, reason, event, field, stage or state means, and what to do.",
    usage: "clanky-cockpit explain NAME [--json]",
    discussion: """
      In the cockpit K explains what is under the cursor. A name that begins others lists them; a \
      name can have several meanings. Exit code 1 when nothing is called so.
      """)

  @Argument(
    help: ArgumentHelp("Such as reply_skipped, llm_skip, queueWaitMs.", valueName: "NAME"))
  var name: [String]

  @Flag(help: "JSON lines: name, family, text.")
  var json = false

  /// Texts of longer names that are printed; more say too little each.
  private static let longerLimit = 20

  func run(in environment: Environment) throws {
    let name = name.joined(separator: " ")
    switch Explanations.find(name) {
    case .exact(let meanings): say(meanings, in: environment)
    case .beginning(let longer):
      let shown = json ? longer[...] : longer.prefix(Self.longerLimit)
      say(Array(shown), in: environment)
      if shown.count < longer.count {
        environment.output.remark(
          PlainText("\(longer.count - shown.count) more begin with it; write more of the name."))
      }
    case .near(let names):
      let short = name.count > 40 ? name.prefix(39) + "…" : name[...]
      let offer = names.isEmpty ? "" : " Did you mean " + names.joined(separator: ", ") + "?"
      throw Failure(.failed, "Nothing is called \(short).\(offer)")
    }
  }

  private func say(_ explanations: [Explanation], in environment: Environment) {
    for explanation in explanations {
      let lines =
        [PlainText("\(explanation.name)  (\(explanation.family.rawValue))")]
        + PlainText(explanation.text).wrapped(to: 76).map { "  " + $0 }
      guard json else {
        for line in lines { environment.output.line(line) }
        continue
      }
      environment.also(lines)
      var line = JSONObjectWriter()
      line.string("name", explanation.name)
      line.string("family", explanation.family.rawValue)
      line.string("text", explanation.text)
      environment.output.line(line.finish())
    }
  }
}
