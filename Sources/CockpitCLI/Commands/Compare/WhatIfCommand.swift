import ArgumentParser
import CockpitAnswers
import CockpitSession
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore

/// `whatif`: what other thresholds would have changed, and what another model would have cost.
struct WhatIfCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "whatif",
    abstract: "What would have been: other thresholds, another model. Modelled.",
    usage: "clanky-cockpit whatif [--threshold NAME=VALUE | --model MODEL] [OPTIONS]",
    discussion: """
      From logged scores alone: which past silences a lower threshold would have answered, and which \
      answers a higher one would have lost. Families are text, admission, voice, recognition and \
      initiative; without --threshold each has a small table, with it the rows are listed. Rows without \
      a score are counted: nothing can be said of them. With --model: what the model calls would have \
      cost at the prices of [prices] in the configuration (docs/whatif.md).

      Examples:
        clanky-cockpit whatif --since 7d --from-history
        clanky-cockpit whatif --threshold voice=0.7 --json | jq '.families[].flips[].id'
        clanky-cockpit whatif --model openai/gpt-5 --since 24h

      Exits with 1 when the rows of the time do not tell.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Option(
    help: ArgumentHelp("Of the last DURATION, 24h without it.", valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var since: HistoryDuration?

  @Option(
    help: ArgumentHelp(
      "A threshold to try, such as voice=0.7; may be given more than once.",
      valueName: "FAMILY=VALUE"))
  var threshold: [String] = []

  @Option(
    help: ArgumentHelp(
      "The model whose prices are taken, as in [prices].", valueName: "PROVIDER/MODEL"))
  var model: String?

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let asked = try thresholds()
    if let model, !asked.isEmpty {
      throw Failure(.usage, "--threshold and --model \(model) are two questions: ask one of them")
    }
    if let model, !settings.prices.models.contains(model) {
      let known = settings.prices.models
      throw Failure(
        .usage,
        known.isEmpty
          ? "no price is known: write [prices.\"\(model)\"] into the configuration (docs/whatif.md)"
          : "'\(model)' has no price; [prices] has \(known.joined(separator: ", "))")
    }
    let loader = try await CompareSources(shared, past, environment, settings).open(.all)
    let length = since?.milliseconds ?? 86_400_000
    let rows = try await loader.rows(of: loader.nowMs - length..<loader.nowMs)
    if let model {
      let answer = ModelCostAnswer(
        rows.compactMap(CallTokens.init), on: model, settings.prices, coverage: rows.coverage)
      show(answer.json, answer.lines, rows, environment, settings)
      if answer.answer.state == .unknown { throw ExitCode(1) }
    } else {
      let answer = ThresholdAnswer(
        rows.compactMap(ScoredDecision.init), asked: asked, coverage: rows.coverage)
      show(answer.json, answer.lines(settings.clock), rows, environment, settings)
      if answer.answer.state == .unknown { throw ExitCode(1) }
    }
  }

  private func thresholds() throws(Failure) -> [ScoreFamily: Double] {
    var asked: [ScoreFamily: Double] = [:]
    for text in threshold {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let family = ScoreFamily(rawValue: String(parts[0])),
        let value = Double(parts[1]), value.isFinite
      else {
        let names = ScoreFamily.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(
          .usage, "'\(text)' is no threshold; voice=0.7 is one, and the families are \(names)")
      }
      asked[family] = value
    }
    return asked
  }

  @MainActor private func show(
    _ object: JSONValue, _ lines: [PlainText], _ rows: LoadedRows, _ environment: Environment,
    _ settings: Settings
  ) {
    if json {
      var bytes: [UInt8] = []
      object.write(to: &bytes, ascii: true)
      environment.output.line(bytes)
      return
    }
    for line in lines { environment.output.line(line) }
    environment.output.line(rows.window(settings.clock))
    for stretch in rows.missing { environment.output.complain(stretch.sentence(settings.clock)) }
  }
}
