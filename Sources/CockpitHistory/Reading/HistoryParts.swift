/// Which stretches of time a local history has, and which come from elsewhere. Times are ms since 1970.
struct HistoryParts: Hashable, Sendable {
  /// One stretch, without its first millisecond.
  struct Part: Hashable, Sendable {
    var after: Int64
    var through: Int64
    var isLocal: Bool

    func contains(_ ms: Int64) -> Bool { after < ms && ms <= through }
  }

  /// Newest first; together they are all of time.
  var parts: [Part]

  /// A recorder that runs writes a record at least so often, and a bit.
  static let silenceMs: Int64 = 120_000

  /// - Parameters:
  ///   - startMs: when the first recorder began.
  ///   - lastMs: when a recorder wrote last.
  ///   - outages: stretches without records.
  init(startMs: Int64, lastMs: Int64, outages: [RecordedOutage], nowMs: Int64) {
    // A recorder that has ended writes its outage when it begins again.
    let endMs = nowMs - lastMs > Self.silenceMs ? lastMs : .max
    var local = [(after: startMs - 1, through: endMs)]
    for outage in outages where outage.toMs > outage.fromMs {
      local = local.flatMap { part in
        [
          (part.after, min(part.through, outage.fromMs)),
          (max(part.after, outage.toMs - 1), part.through),
        ]
        .filter { $0.0 < $0.1 }.map { (after: $0.0, through: $0.1) }
      }
    }
    parts = []
    var through = Int64.max
    for part in local.sorted(by: { $0.after > $1.after }) {
      if part.through < through {
        parts.append(Part(after: part.through, through: through, isLocal: false))
      }
      parts.append(Part(after: part.after, through: part.through, isLocal: true))
      through = part.after
    }
    parts.append(Part(after: .min, through: through, isLocal: false))
  }

  func isLocal(_ ms: Int64) -> Bool { parts.first { $0.contains(ms) }?.isLocal ?? false }
}
