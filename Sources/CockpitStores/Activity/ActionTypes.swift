package import ClankyWire

/// A row of the log by its arrival: monotonic and never reused, so that a selection stays on its
/// row while others come and go. Not the backend's id, which live rows lack.
package typealias RowID = Int

/// The channel of an action.
package enum ActionSource: Sendable {
  /// An `action_event`.
  case activity
  /// A `voice_event`: the same action once more, on the other stream.
  case voice
  /// A stored row: a snapshot or REST.
  case stored
}

/// The result of ingesting a list of rows.
package struct IngestReport: Sendable {
  /// The ids of all readable rows, known before or not.
  package var ids: [Int] = []
  /// Readable rows.
  package var count = 0
  /// Those that became rows of the log.
  package var added = 0
  /// Pieces that were no actions.
  package var rejected = 0
  /// Rows with an id that another retained row has.
  package var contradictions = 0
  /// The time of the oldest and the newest readable row.
  package var oldestMs: Int64?
  package var newestMs: Int64?
  /// The added rows that are still stored.
  package var addedRows: Range<RowID>
  /// The range of a snapshot's `stats` in the payload.
  package var stats: Range<Int>?
  /// Whether the payload ended as it should.
  package var isComplete = true
  /// Why the first rejected piece was.
  package var firstRejection: ActionRejection?

  package init(addedRows: Range<RowID>) { self.addedRows = addedRows }

  /// The unusable part of the batch, one sentence; nil if all of it was usable.
  package var loss: String? {
    guard rejected > 0 || !isComplete else { return nil }
    let rows = rejected == 1 ? "1 row" : "\(rejected) rows"
    let first = rejected == 1 ? ": " : ", the first of them because "
    let why = firstRejection.map { first + $0.description } ?? "."
    guard isComplete else { return "The list of rows breaks off; \(count) could be read." }
    return "\(rows) could not be read\(why)"
  }
}

/// A hole in the log that is shown instead of hidden (promise P4).
package struct IDGapRow: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The missing rows are unavailable.
    case lost
    /// The missing rows could not be requested yet; the request is repeated.
    case unanswered
    /// The missing rows were fetched.
    case filled(count: Int)
    /// The backend's log was replaced; this many rows of the old one were stored.
    case replaced(rows: Int)

    /// Whether rows are missing.
    package var isOpen: Bool {
      switch self {
      case .lost, .unanswered: true
      case .filled, .replaced: false
      }
    }
  }

  /// The first and the last missing id.
  package var from: Int
  package var to: Int
  /// Where in time the hole is.
  package var atMs: Int64
  package var kind: Kind

  /// How long the connection was lost, in ms; nil if unknown or not lost.
  package var lostMs: Int?
  /// Whether lost rows may exist beyond the 1,000 that the backend returns per kind and guild.
  package var isOutOfReach: Bool

  /// Number of missing ids; 0 for a mark without rows.
  package var count: Int {
    guard kind.isOpen, from <= to else { return 0 }
    let (distance, overflow) = to.subtractingReportingOverflow(from)
    return overflow ? .max : distance &+ 1
  }

  package init(
    from: Int, to: Int, atMs: Int64, kind: Kind, lostMs: Int? = nil, isOutOfReach: Bool = false
  ) {
    self.isOutOfReach = isOutOfReach
    self.from = from
    self.to = to
    self.atMs = atMs
    self.kind = kind
    self.lostMs = lostMs
  }
}
