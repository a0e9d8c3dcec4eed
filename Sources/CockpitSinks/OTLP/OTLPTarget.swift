internal import CockpitHistory
internal import Networking

/// Sends settled turns as traces over OTLP/HTTP, as protobuf.
final class OTLPTarget: SinkTarget {
  private let url: SinkURL
  private let http: SinkHTTP
  private let bot: String
  private let fingerprint: [UInt8]
  private let resource: [OTLPSpan.Attribute]
  private let sample: Set<String>?
  private let hasWords: Bool
  private var fold = TurnFold()
  /// Turns that are to be sent.
  private var waiting: [Turn] = []
  private var refused = 0
  private var words: String?

  /// Spans of a request.
  private static let requestSpans = 500
  private static let requestTurns = 200

  /// - Parameters:
  ///   - resource: what is said of the bot, beside its name.
  ///   - sample: which turns are sent; nil for all.
  ///   - hasWords: whether transcripts and arguments are sent.
  init(
    url: SinkURL, bot: String, fingerprint: [UInt8], resource: [(String, String)],
    sample: Set<String>?, hasWords: Bool, http: @escaping SinkHTTP
  ) {
    self.url = url
    self.bot = bot
    self.fingerprint = fingerprint
    self.sample = sample
    self.hasWords = hasWords
    self.http = http
    let own = resource.contains { $0.0 == "service.name" } ? [] : [("service.name", "clanky")]
    self.resource = (own + resource + [("service.instance.id", bot)]).map {
      .init($0.0, .string($0.1))
    }
  }

  var held: SequencePlace? {
    let places =
      [fold.held] + waiting.map { $0.firstPlace.map { .init(day: $0.day, seq: $0.seq - 1) } }
    return places.compactMap(\.self).min { $0.seq < $1.seq }
  }

  func isDue(nowMs: Int64) -> Bool {
    !waiting.isEmpty || fold.open.values.contains { $0.isDue(atMs: nowMs) }
  }

  func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
    waiting += fold.add(rows).filter { $0.isSampled(sample) }
    // While rows of the past are read, now is the time of the newest of them.
    let atMs = rows.isEmpty ? nowMs : fold.newestMs
    waiting += fold.due(atMs: atMs).filter { $0.isSampled(sample) }
    return deliver()
  }

  func finish(nowMs: Int64) -> SinkAnswer {
    waiting += fold.due(atMs: nowMs, isLast: true).filter { $0.isSampled(sample) }
    return deliver()
  }

  var wantsIncidents: Bool { true }

  /// Rules find after turns are sent, which cannot be changed then: each finding is a trace of one span.
  func report(_ incidents: ArraySlice<SinkIncident>, nowMs: Int64) -> SinkAnswer {
    guard !incidents.isEmpty, sample?.contains("anomaly") ?? true else { return .accepted() }
    let spans = incidents.map {
      IncidentTrace($0, fingerprint: fingerprint, hasWords: hasWords).span
    }
    let type = HTTPHeader("Content-Type", "application/x-protobuf")
    let reply = http(
      SinkRequest(
        url: url, headers: [type], body: OTLPTraces.request(spans, resource: resource)))
    guard case .accepted = reply.answer, case .answer(_, _, let body, _) = reply else {
      return reply.answer
    }
    let left = OTLPTraces.rejected(body)
    return .accepted(rejected: left.spans, words: left.words.isEmpty ? nil : left.words)
  }

  /// Sends what waits. A request that is refused is halved until the one turn is found, which is left out.
  private func deliver() -> SinkAnswer {
    var limit = Self.requestTurns
    while !waiting.isEmpty {
      var spans: [OTLPSpan] = []
      var count = 0
      for turn in waiting.prefix(limit) {
        let more = TurnTrace(
          turn, bot: bot, fingerprint: fingerprint, hasWords: hasWords
        ).spans()
        if count > 0, spans.count + more.count > Self.requestSpans { break }
        spans += more
        count += 1
      }
      let type = HTTPHeader("Content-Type", "application/x-protobuf")
      let reply = http(
        SinkRequest(
          url: url, headers: [type], body: OTLPTraces.request(spans, resource: resource)))
      switch reply.answer {
      case .accepted:
        waiting.removeFirst(count)
        limit = Self.requestTurns
        guard case .answer(_, _, let body, _) = reply else { continue }
        let left = OTLPTraces.rejected(body)
        refused += left.spans
        if !left.words.isEmpty { words = left.words }
      case .refused(let reason):
        guard count == 1 else {
          limit = max(1, count / 2)
          continue
        }
        waiting.removeFirst()
        refused += 1
        words = reason
      case .busy, .closed: return reply.answer
      }
    }
    defer { (refused, words) = (0, nil) }
    return .accepted(rejected: refused, words: words)
  }
}
