/// What a recorder does and has done, for the header and `history status`.
package struct RecorderState: Hashable, Sendable {
  package enum Activity: Hashable, Sendable {
    /// It has not opened its folder yet.
    case starting
    case recording
    /// Another process records this bot.
    case other(pid: Int?)
    /// Nothing can be written for now; it is tried again.
    case paused(String)
    /// Nothing can be recorded in this run.
    case failed(String)
    case stopped
  }

  package var activity = Activity.starting
  /// Rows and documents that were written in this run.
  package var rows = 0
  package var documents = 0
  /// Bytes of records, before they are compressed.
  package var rawBytes = 0
  /// Bytes of all files of the folder, as of the last look.
  package var storedBytes = 0
  /// Rows that were not recorded since the start, because the disk was too slow or full.
  package var lostRows = 0
  /// Documents and link records that were not.
  package var lostRecords = 0
  /// How long the last transaction took, in milliseconds.
  package var lastWriteMs = 0
  /// Ms since 1970.
  package var sinceMs: Int64 = 0
  package var lastError: String?

  package init() {}
}

/// What a recorder is told.
package struct RecorderSettings: Hashable, Sendable {
  /// How long day files are kept after their last record, in milliseconds; nil for ever.
  package var keepMs: Int64?
  /// Bytes that all files of the folder may take; nil without a limit.
  package var maxBytes: Int?
  /// Bytes that wait for the disk at most.
  package var bufferBytes: Int
  /// How long a record waits for others, in milliseconds.
  package var windowMs: Int
  /// How often the log is forced to the disk, in milliseconds; 0 with each transaction, nil never.
  package var syncMs: Int?
  /// How long a disk that refuses is left alone, in milliseconds.
  package var retryMs = 30_000
  /// What records: `cockpit` or `record`.
  package var what: String
  /// The program's version.
  package var version: String
  /// The name of the bot: its address.
  package var bot: String

  package init(
    keepMs: Int64?, maxBytes: Int?, bufferBytes: Int = 8 << 20, windowMs: Int = 250,
    syncMs: Int? = 5000, what: String, version: String, bot: String
  ) {
    self.keepMs = keepMs
    self.maxBytes = maxBytes
    self.bufferBytes = bufferBytes
    self.windowMs = windowMs
    self.syncMs = syncMs
    self.what = what
    self.version = version
    self.bot = bot
  }
}
