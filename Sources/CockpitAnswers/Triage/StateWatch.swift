/// Tracks one failing state: its onset, and whether it has lasted long enough to be a trouble.
struct StateWatch: Hashable {
  var sign: TriageRule.Sign
  /// Onset: the time stated by the backend, else of the first report; ms since 1970.
  var sinceMs: Int64
  var mayBeOlder: Bool
  var isConfirmed: Bool
  var endedMs: Int64?
  /// When it had which mark, the last ones.
  private var marks: [Mark]

  private struct Mark: Hashable {
    var value: Int64
    var ms: Int64
  }

  /// So long a mark counts.
  private static let markMs: Int64 = 60_000

  init(_ sign: TriageRule.Sign, _ rule: TriageRule.State, isFirst: Bool, atMs ms: Int64) {
    self.sign = sign
    sinceMs = min(ms, sign.sinceMs ?? ms)
    mayBeOlder = isFirst && rule.mayBeOlder && sign.sinceMs == nil
    marks = sign.mark.map { [Mark(value: $0, ms: ms)] } ?? []
    isConfirmed = (mayBeOlder || rule.lastsMs == 0) && rule.marks <= 1
  }

  /// Another report at `ms`.
  mutating func hear(_ sign: TriageRule.Sign, _ rule: TriageRule.State, atMs ms: Int64) {
    self.sign = sign
    endedMs = nil
    if let value = sign.mark, value != marks.last?.value {
      marks.append(Mark(value: value, ms: ms))
      if marks.count > 8 { marks.removeFirst() }
    }
    let isOld = ms - sinceMs >= rule.lastsMs || ms < sinceMs
    let isRepeated =
      rule.marks <= 1 || marks.count { ms - $0.ms <= Self.markMs } >= rule.marks
    if isOld, isRepeated { isConfirmed = true }
  }

  /// How often it was seen to happen.
  var count: Int { max(sign.count, marks.count) }
}
