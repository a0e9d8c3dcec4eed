import CockpitFiles
import CockpitHistory
import CockpitSinks
import Foundation
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
    let target = try target(
      name, sink, folder: folder, level: level, bot: bot, door: door, live: live)
    return SinkThread.Plan(
      name: name, kind: sink.kind.rawValue, folder: folder, botName: botName, level: level,
      keepsPrompts: sink.prompts ?? (level == .none),
      maxLagMs: sink.maxLagMs ?? Self.standardMaxLagMs, target: target)
  }

  @MainActor
  private func target(
    _ name: String, _ sink: Configuration.Sink, folder: String, level: RedactionLevel,
    bot: String, door: SinkDoor, live: LiveFigures
  ) throws(Failure) -> @Sendable (HistoryNotes.SinkBot) throws(SinkProblem) -> any SinkTarget {
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
      let http = Self.compressed(door.http(headers: [], command: sink.headersCommand), sink)
      return { _ throws(SinkProblem) in
        try SinkTargets.loki(url: url, allowsPlainHTTP: isPlain, bot: bot, http: http)
      }
    case .otlp:
      let given = OTLPEnvironment(environment)
      guard let url = sink.url ?? given.url else {
        throw Failure(
          .usage, "the sink '\(name)' has no url, and OTEL_EXPORTER_OTLP_ENDPOINT is not set")
      }
      let http = Self.compressed(
        door.http(
          headers: given.headers, command: sink.headersCommand,
          timeoutMs: given.timeoutMs ?? SinkDoor.standardTimeoutMs), sink)
      let sample = sink.sample.map { Set($0) }
      let hasWords = sink.prompts ?? false
      return { known throws(SinkProblem) in
        try SinkTargets.otlp(
          url: url, allowsPlainHTTP: isPlain, bot: bot, botName: known.name,
          resource: given.resource, sample: sample, hasWords: hasWords, http: http)
      }
    case .postgres:
      let dsn = sink.dsn ?? ""
      return { known throws(SinkProblem) in
        try SinkTargets.postgres(
          dsn: dsn, bot: bot, botName: known.name,
          records: try SinkTargets.records(folder: folder, bot: known, level: level))
      }
    case .clickhouse:
      let http = Self.compressed(door.http(headers: [], command: sink.headersCommand), sink)
      return { known throws(SinkProblem) in
        // Rows with another name would be no twins of those that are there.
        let label: String
        do throws(HistoryError) {
          label = try HistoryNotes.sinkLabel(of: name, else: bot, in: folder)
        } catch {
          throw SinkProblem(error.description)
        }
        return try SinkTargets.clickHouse(
          url: url, allowsPlainHTTP: isPlain, bot: label, name: name,
          records: try SinkTargets.records(folder: folder, bot: known, level: level), http: http)
      }
    }
  }

  private static func compressed(
    _ http: @escaping SinkHTTP, _ sink: Configuration.Sink
  ) -> SinkHTTP {
    sink.gzip ?? true ? SinkCompression.over(http) : http
  }

  /// Where the rows of a sink go, for the words at its start; without what could be a secret.
  package func place(of sink: Configuration.Sink) -> String {
    switch sink.kind {
    case .prometheus, .ndjson: sink.file ?? ""
    case .loki, .otlp, .clickhouse:
      (sink.url ?? OTLPEnvironment(environment).url).flatMap { text in
        (try? BackendURL(text, allowPlainHTTP: true))?.origin
      } ?? ""
    // A service file or URI may contain secrets: it is not logged.
    case .postgres: "PostgreSQL"
    }
  }
}

/// What the variables of OpenTelemetry's exporters say.
struct OTLPEnvironment {
  var url: String?
  var headers: [HTTPHeader] = []
  var timeoutMs: Int?
  var resource: [(String, String)] = []

  init(_ variables: [String: String]) {
    func value(_ name: String) -> String? {
      [variables["OTEL_EXPORTER_OTLP_TRACES_\(name)"], variables["OTEL_EXPORTER_OTLP_\(name)"]]
        .lazy.compactMap(\.self).first { !$0.isEmpty }
    }
    if let traces = variables["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"], !traces.isEmpty {
      url = traces
    } else if let base = variables["OTEL_EXPORTER_OTLP_ENDPOINT"], !base.isEmpty {
      url = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/v1/traces"
    }
    headers = Self.pairs(value("HEADERS")).map { HTTPHeader($0.0, $0.1) }
    timeoutMs = value("TIMEOUT").flatMap { Int($0) }.flatMap {
      (100...600_000).contains($0) ? $0 : nil
    }
    resource = Self.pairs(variables["OTEL_RESOURCE_ATTRIBUTES"])
    if let name = variables["OTEL_SERVICE_NAME"], !name.isEmpty {
      resource.removeAll { $0.0 == "service.name" }
      resource.append(("service.name", name))
    }
  }

  /// `a=1,b=2`, with values percent-encoded.
  private static func pairs(_ text: String?) -> [(String, String)] {
    (text ?? "").split(separator: ",").prefix(64).compactMap { part in
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let key = part[..<equals].trimmingCharacters(in: .whitespaces)
      let value = part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      guard !key.isEmpty else { return nil }
      return (key, value.removingPercentEncoding ?? value)
    }
  }
}
