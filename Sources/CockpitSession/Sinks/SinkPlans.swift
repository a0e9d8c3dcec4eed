import CockpitFiles
import CockpitHistory
import CockpitSinks
import Networking

/// Sinks as the configuration has them.
extension Settings {
  /// The sinks with these names.
  package func sinks(named names: [String]) throws(Failure) -> [(String, Configuration.Sink)] {
    var found: [(String, Configuration.Sink)] = []
    for name in names {
      guard let sink = configuration.sinks[name] else {
        let known = configuration.sinks.keys.sorted()
        throw Failure(
          .usage,
          known.isEmpty
            ? "there is no sink '\(name)': the configuration has none; add a [sinks.\(name)] table (docs/sinks.md)"
            : "there is no sink '\(name)'"
              + (name.nearest(of: known).map { "; did you mean '\($0)'?" }
                ?? "; the configuration has: \(known.joined(separator: ", "))"))
      }
      guard !found.contains(where: { $0.0 == name }) else { continue }
      found.append((name, sink))
    }
    return found
  }

  /// How retention waits for a sink, unless the configuration says otherwise: 7 days.
  package static let standardMaxLagMs: Int64 = 7 * 86_400_000

  /// What a sink runs with.
  ///
  /// - Parameters:
  ///   - bot: what rows call the bot.
  ///   - botName: what its keys are made of.
  @MainActor
  package func plan(
    _ name: String, _ sink: Configuration.Sink, folder: String, bot: String, botName: String,
    door: SinkDoor, live: LiveFigures
  ) throws(Failure) -> SinkThread.Plan {
    let redact = sink.redact ?? sink.kind.redact
    guard let level = RedactionLevel(rawValue: redact) else {
      throw Failure(.usage, "'\(redact)' is no way to redact")
    }
    let target = target(sink, bot: bot, door: door, live: live)
    return SinkThread.Plan(
      name: name, kind: sink.kind.rawValue, folder: folder, botName: botName, level: level,
      keepsPrompts: sink.prompts ?? (level == .none),
      maxLagMs: sink.maxLagMs ?? Self.standardMaxLagMs, target: target)
  }

  @MainActor
  private func target(
    _ sink: Configuration.Sink, bot: String, door: SinkDoor, live: LiveFigures
  ) -> @Sendable (HistoryNotes.SinkBot) throws(SinkProblem) -> any SinkTarget {
    let isPlain = sink.allowPlainHTTP ?? false
    let file = sink.file.map { Self.path($0, in: configuration, environment) } ?? ""
    let url = sink.url ?? ""
    switch sink.kind {
    case .prometheus:
      return { _ in SinkTargets.prometheus(file: file, page: nil, bot: bot, live: live) }
    case .ndjson:
      let maxBytes = sink.maxBytes ?? SinkTargets.standardFileBytes
      return { _ in SinkTargets.ndjson(file: file, bot: bot, maxBytes: maxBytes) }
    case .loki:
      let http = door.http(headers: [], command: sink.headersCommand)
      return { _ throws(SinkProblem) in
        try SinkTargets.loki(url: url, allowsPlainHTTP: isPlain, bot: bot, http: http)
      }
    }
  }

  /// Where the rows of a sink go, for the words at its start; without what could be a secret.
  package func place(of sink: Configuration.Sink) -> String {
    switch sink.kind {
    case .prometheus, .ndjson: sink.file ?? ""
    case .loki:
      sink.url.flatMap { (try? BackendURL($0, allowPlainHTTP: true))?.origin } ?? ""
    }
  }
}
