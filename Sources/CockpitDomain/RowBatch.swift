/// Why a batch of stored rows reaches the sink.
package enum RowSource: Sendable, Hashable, CaseIterable {
  /// The `activity_snapshot` event that opens a connection.
  case snapshot
  /// Rows fetched because ids were missing after a reconnect.
  case fill
  /// The quiet comparison every 60 s on a healthy connection.
  case reconcile
  /// Rows fetched because the stream itself is held back by a tunnel.
  case poll
  /// Rows older than the start of this run. No newer row may be evicted for them.
  case history
}

/// What the sink found in a batch of stored rows.
package struct RowReport: Sendable, Equatable {
  /// Ids of all readable rows of the batch, in any order, known ones included.
  package var ids: [Int]
  /// Rows in the batch, readable or not.
  package var count: Int
  /// Rows that were new to the sink.
  package var added: Int
  /// Rows that could not be read.
  package var rejected: Int
  /// Rows with the id of another row that was seen before: the log is not the one it was.
  package var contradictions: Int
  /// Whether the batch was a complete, well-formed list.
  package var isComplete: Bool
  /// `created_at` of the oldest row in milliseconds since 1970.
  package var oldestMs: Int64?
  /// `created_at` of the newest row in milliseconds since 1970.
  package var newestMs: Int64?

  /// An empty report by default.
  package init(
    ids: [Int] = [], count: Int = 0, added: Int = 0, rejected: Int = 0, contradictions: Int = 0,
    isComplete: Bool = true, oldestMs: Int64? = nil, newestMs: Int64? = nil
  ) {
    self.ids = ids
    self.count = count
    self.added = added
    self.rejected = rejected
    self.contradictions = contradictions
    self.isComplete = isComplete
    self.oldestMs = oldestMs
    self.newestMs = newestMs
  }
}

/// Stored rows that a source has fetched or was given. The buffer is borrowed: it is valid during the call only.
package struct RowBatch {
  /// A bare array of stored rows (the body of `GET /api/actions`), or the payload of `activity_snapshot`:
  /// `{"actions": [...], "stats": {...}}`.
  package let json: UnsafeRawBufferPointer
  /// Why the rows come.
  package let source: RowSource
  /// Whether to read the statistics that accompany the rows.
  package let carriesStats: Bool

  /// A batch without statistics by default.
  package init(_ json: UnsafeRawBufferPointer, source: RowSource, carriesStats: Bool = false) {
    self.json = json
    self.source = source
    self.carriesStats = carriesStats
  }
}
