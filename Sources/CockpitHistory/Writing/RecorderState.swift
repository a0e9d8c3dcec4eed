/// The state and counters of a recorder, for the header and `history status`.
package struct RecorderState: Hashable, Sendable {
  package enum Activity: Hashable, Sendable {
    /// It has not opened its folder yet.
    case starting
    case recording
    /// Another process records this bot.
    case other(pid: Int?)
    /// Writing fails, for this reason; it is retried.
    case paused(String)
    /// Recording is not possible in this run, for this reason.
    case failed(String)
    case stopped
  }

  package var activity = Activity.starting
  /// Rows and documents that were written in this run.
  package var rows = 0
  package var documents = 0
  /// Bytes of records, before they are compressed.
  package var rawBytes = 0
  /// Bytes of all files of the folder, as of the last retention run.
  package var storedBytes = 0
  /// Rows of this run that were not recorded, because the disk was too slow or full.
  package var lostRows = 0
  /// The same for documents and link records.
  package var lostRecords = 0
  /// How long the last transaction took, in milliseconds.
  package var lastWriteMs = 0
  /// When the run began, in ms since 1970.
  package var sinceMs: Int64 = 0
  package var lastError: String?
  /// The stretches of this run without records, in the order in which they became known; the newest ones.
  package var outages: [RecordedOutage] = []
  /// How many there were before `outages`.
  package var olderOutages = 0
  /// Since when writing has been failing, in ms since 1970; nil while it goes well.
  package var failingSinceMs: Int64?

  package mutating func note(_ outage: RecordedOutage) {
    outages.append(outage)
    guard outages.count > 100 else { return }
    outages.removeFirst(50)
    olderOutages += 50
  }

  package init() {}
}

/// Options of a recorder.
package struct RecorderSettings: Hashable, Sendable {
  /// How long day files are kept after their last record, in milliseconds; nil for ever.
  package var keepMs: Int64?
  /// Bytes that all files of the folder may take; nil without a limit.
  package var maxBytes: Int?
  /// The largest number of bytes that may wait for the disk.
  package var bufferBytes: Int
  /// How long a record waits for others before they are written together, in milliseconds.
  package var windowMs: Int
  /// How often the log is forced to the disk, in milliseconds; 0 with each transaction, nil never.
  package var syncMs: Int?
  /// Whether the words of people and models are left out; lengths stay.
  package var omitsWords = false
  /// Whether a folder on a network file system is taken, without an index of words.
  package var allowsNetwork = false
  /// The interval of attempts while writing fails, in milliseconds.
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
