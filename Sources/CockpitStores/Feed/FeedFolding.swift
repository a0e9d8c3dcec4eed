/// What the feed folds, and what the user has unfolded.
package struct FeedFolding: Hashable, Sendable {
  package var level: FeedLevel
  /// Turns whose steps are shown.
  package var openTurns: Set<FeedTurnKey> = []
  /// Runs of equal rows that are shown one by one, by their oldest row.
  package var openRuns: Set<RowID> = []
  /// A row that is shown whatever the level: the selected one.
  package var kept: RowID?

  package init(level: FeedLevel = .everything) { self.level = level }
}

/// What belongs together in the feed: all that came of one message, or of one turn in voice.
package enum FeedTurnKey: Hashable, Sendable {
  /// The Discord id of the message that set it off.
  case message(String)
  case voice(session: String, turn: VoiceTurnRecord.ID)
}

/// What a line of the feed stands for beside its own row, and the turn that it belongs to.
package struct FeedMark: Hashable, Sendable {
  package var row: RowID
  /// Rows of its turn that are folded into it.
  package var steps = 0
  /// Equal rows that it stands for, itself included.
  package var repeats = 1
  /// Whether the steps of its turn have been unfolded.
  package var isOpen = false
  package var bracket: FeedBracket?

  package init(row: RowID) { self.row = row }
}

/// A turn as the lines of the feed show it.
package struct FeedBracket: Hashable, Sendable {
  /// The number of the turn: good until the next row.
  package var turn: Int
  /// Whether the row was linked by place and time, because it names no id.
  package var isInferred = false
  /// The newest and the oldest line of the turn, and their times in ms since 1970.
  package var newest: RowID
  package var oldest: RowID
  package var times: ClosedRange<Int64>
}
