import CockpitHistory
import CockpitRules

/// Judges one UTC day of a recording: from the memory of the rules before its beginning until its incidents are over.
struct DayJudge {
  let day: Int64
  private var engine: RuleEngine
  private var told: Set<RecordedOutage> = []
  private var events = 0
  private(set) var atMs: Int64

  static let dayMs: Int64 = 86_400_000
  /// An incident that begins in a day is followed for at least this long after the day, in ms.
  static let tailMs: Int64 = 3_600_000
  /// The rows of a recording come in order: a copy of the states is seldom gone back to.
  private static let checkpointEvents = 1024

  init(day: Int64, _ settings: RuleSettings) {
    self.day = day
    engine = RuleEngine(settings, checkpointEvents: Self.checkpointEvents)
    atMs = Self.beginMs(day)
  }

  /// Where reading for a day begins; the events after it are judged.
  static func beginMs(_ day: Int64) -> Int64 { day * dayMs - RuleTable.memoryMs - 1 }

  private var endMs: Int64 { (day + 1) * Self.dayMs }

  /// Takes all that was recorded since the last call.
  ///
  /// - Parameters:
  ///   - outages: those that touch the piece and are over by the end of the stretch that is judged.
  mutating func take(_ piece: [RuleEvent], outages: [RecordedOutage], through end: Int64) {
    var piece = piece
    for outage in outages where outage.toMs > Self.beginMs(day) && told.insert(outage).inserted {
      piece.append(
        RuleEvent(
          timeMs: outage.fromMs,
          body: .outage(fromMs: outage.fromMs, toMs: outage.toMs, rows: outage.rows)))
    }
    if atMs >= day * Self.dayMs - 1, end <= endMs { events += piece.count }
    engine.take(piece)
    engine.advance(to: end)
    atMs = end
  }

  /// Whether nothing later changes what began in the day.
  var isOver: Bool {
    guard atMs >= endMs + Self.tailMs else { return false }
    // Repeats still count; after another day the count is final.
    return atMs >= endMs + Self.dayMs
      || own.allSatisfy { $0.toMs + Incident.repeatMs < atMs }
  }

  private var own: [Incident] {
    engine.incidents.filter { $0.fromMs >= day * Self.dayMs && $0.fromMs < endMs }
  }

  var verdict: DayVerdict {
    var verdict = DayVerdict(day: day, judgedToMs: atMs)
    verdict.incidents = own
    verdict.events = events
    verdict.tooLate = engine.tooLate
    for (rule, judgement) in engine.judgements { verdict.judgements[rule.id] = judgement }
    return verdict
  }
}
