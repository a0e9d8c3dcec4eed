import ClankyWire
import CockpitAnswers
import CockpitStores
import LenientJSON
import TerminalCore

/// Kinds, fields and values in the log that this version does not know, counted as `doctor --wire` does. Each frame of
/// CMD reads some rows: every row of an unknown kind, the newest rows, and a sample of the others.
struct WireDrift: Sendable {
  /// What is shown of it.
  struct Shown: Hashable, Sendable {
    /// `3 kinds, 2 fields unknown`.
    var words: PlainText
    /// The first row that has one of them, ms since 1970.
    var sinceMs: Int64
    /// Names of unknown kinds.
    var kinds: [String]
  }

  /// Rows that are examined per frame, and how many of them are decoded at most.
  static let rowsPerFrame = 500
  static let decodedPerFrame = 50
  /// Sampling of known kinds: the first `wholeRows` rows, then one row in `sampledOneOf`.
  static let wholeRows = 200
  static let sampledOneOf = 16

  private var cursor = LogCursor(.newest)
  /// Made with the first row: it takes some milliseconds.
  private var ledger: DriftLedger?
  private var seen = 0
  /// nil if everything is known.
  private(set) var shown: Shown?
  private var hasBegun = false

  /// What is shown in a frame that nothing was prepared for: what the first look finds.
  @MainActor func shown(of log: ActionLog) -> Shown? {
    guard !hasBegun else { return shown }
    var first = self
    first.follow(log)
    return first.shown
  }

  /// Reads rows that came since the last call, and then older ones.
  @MainActor mutating func follow(_ log: ActionLog) {
    hasBegun = true
    guard !log.isEmpty else { return }
    if cursor.changes(in: log, budget: 0).isRestart { (ledger, seen, shown) = (nil, 0, nil) }
    let mostDecoded = seen == 0 ? Self.wholeRows : Self.decodedPerFrame
    var decoded = 0
    for _ in 0..<Self.rowsPerFrame where decoded < mostDecoded {
      guard let id = cursor.next(in: log) ?? cursor.nextOlder(in: log) else { break }
      if read(id, log) { decoded += 1 }
    }
    guard decoded > 0, let ledger, !ledger.isEmpty else { return }
    shown = Self.shown(ledger)
  }

  /// - Returns: whether the row was decoded.
  @MainActor private mutating func read(_ id: RowID, _ log: ActionLog) -> Bool {
    guard let row = log.row(id), !row.isGap, !row.isOfFormerLog else { return false }
    let isKnown = ActionKind(rawValue: row.kind).isKnown
    seen += 1
    guard !isKnown || seen <= Self.wholeRows || seen % Self.sampledOneOf == 0 else {
      return false
    }
    let value = row.withRaw { try? JSONParser.parse($0, sparesRows: true) }
    // Rows that this program made itself say nothing about the backend.
    guard let value, !RowOrigin.isGateway(value["metadata"] ?? .null) else { return true }
    var ledger = self.ledger ?? DriftLedger(WireVocabulary())
    self.ledger = nil
    ledger.take(row: value, from: "/api/actions", atMs: row.timeMs)
    self.ledger = ledger
    return true
  }

  private static func shown(_ ledger: DriftLedger) -> Shown? {
    let found = ledger.found
    guard let words = DriftReport(ledger).brief, let first = found.map(\.firstMs).min() else {
      return nil
    }
    return Shown(
      words: words, sinceMs: first,
      kinds: found.filter { $0.subject == .kind }.map(\.name))
  }
}
