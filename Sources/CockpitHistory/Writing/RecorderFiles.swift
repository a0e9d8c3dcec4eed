internal import CockpitFiles
internal import LenientJSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files that a recorder writes. Used on the recorder's thread only.
final class RecorderFiles {
  let folder: String
  let settings: RecorderSettings
  let nowMs: @Sendable () -> Int64
  private let network: @Sendable (String) -> String?
  private var lock: HistoryLock?
  private var writer: DayWriter?
  /// What is added to the numbers of the run.
  private var base: Int64 = 1
  /// The rows of earlier runs, which the backend may give again.
  private var earlier: EarlierRows?
  /// The number of the last row, in all files.
  private var lastSeq: Int64 = 0
  var isBegun = false
  /// Whether `bot.json` says what the bot is called.
  var hasNamedBot = false
  private(set) var otherRecorder: Int?
  /// Bytes of all files, as of the last `tidy`.
  private(set) var storedBytes = 0
  /// The last problem that did not stop the recording.
  var lastProblem: String?
  /// What is wrong with the pins.
  private var pinProblem: String?
  var problem: String? { lastProblem ?? pinProblem }

  private var syncDueMs: Int64?
  var statusWrittenMs: Int64 = 0
  private var tidiedMs: Int64 = 0
  /// When the disk became full; nil if it is not.
  private(set) var refusedMs: Int64?
  /// Stretches without records that were written and not told yet.
  private var newOutages: [RecordedOutage] = []

  private static let tidyIntervalMs: Int64 = 600_000
  static let statusIntervalMs: Int64 = 5000

  init(
    folder: String, _ settings: RecorderSettings, nowMs: @escaping @Sendable () -> Int64,
    network: @escaping @Sendable (String) -> String?
  ) {
    self.folder = folder
    self.settings = settings
    self.nowMs = nowMs
    self.network = network
  }

  /// When something was last written: once a minute there is a record that the recorder runs.
  private var heardMs: Int64 = 0
  private static let heardIntervalMs: Int64 = 60_000

  /// When the thread must wake up although no record came, in ms since 1970.
  var nextTaskMs: Int64? { syncDueMs }

  /// How files are written.
  private var mode: DayWriter.Mode {
    DayWriter.Mode(
      omitsWords: settings.omitsWords,
      isNetwork: settings.allowsNetwork && network(folder) != nil)
  }

  // MARK: opening

  /// Opens the folder for recording.
  ///
  /// - Returns: false if another process records there.
  func open() throws(HistoryError) -> Bool {
    if writer != nil { return true }
    do throws(FileError) {
      try SafeFile.makeFolder(folder)
    } catch {
      throw HistoryError(.refused, error.description)
    }
    guard access(folder, W_OK) == 0 else {
      throw HistoryError(.refused, "you may not write into '\(folder)'")
    }
    if !settings.allowsNetwork, let kind = network(folder) {
      throw HistoryError(
        .refused,
        """
        '\(folder)' is on a network file system (\(kind)), where the locks and the shared memory of SQLite do not \
        work: name a folder on a local disk, or record there without words with `record --force`
        """)
    }
    if lock == nil {
      guard let taken = try HistoryLock.take(folder) else {
        if HistoryLock.isUpkeep(of: folder) {
          throw HistoryError(.busy, "the files of '\(folder)' are being rewritten")
        }
        otherRecorder = HistoryLock.owner(of: folder)
        return false
      }
      lock = taken
    }
    try begin()
    return true
  }

  private func begin() throws(HistoryError) {
    let now = nowMs()
    let recovered = try HistoryNotes.recover(folder, suffix: "\(now / 1000)")
    if let recovered { lastProblem = recovered }
    let days = HistoryFiles.days(in: folder) ?? []
    let last = days.reversed().lazy
      .compactMap { [folder] in LastRecord.read(folder + "/" + $0.fileName) }.first
    lastSeq = last?.seq ?? 0
    try openWriter(max(DayName(ms: now), days.last.map { DayName(day: $0.day) } ?? DayName(day: 0)))
    // After the numbers of the file that was opened, which may be newer than the last readable one.
    base = lastSeq + 1
    earlier = EarlierRows(HistoryFiles.days(in: folder) ?? [], in: folder, before: base)
    for day in days where day.day < DayName(ms: now).day { finish(day) }
    var batch = RecorderBatch()
    if let last, now - last.ms > 2000 {
      let outage = RecordedOutage(fromMs: last.ms, toMs: now, reason: .stopped)
      newOutages.append(outage)
      batch.addLink(.outage, now, outage.value)
    }
    let started = JSONValue.body([
      ("pid", .integer(getpid())), ("version", .string(settings.version)),
      ("what", .string(settings.what)), ("bot", .string(settings.bot)),
    ])
    batch.addLink(.started, now, Array(started.serialized().utf8))
    try write(batch)
    isBegun = true
    beginBot()
    tidy()
  }

  /// Opens the file of a day, or its next part if that cannot be continued.
  private func openWriter(_ day: DayName) throws(HistoryError) {
    writer = nil
    var day = day
    var failure: DatabaseFailure?
    for existing in HistoryFiles.days(in: folder) ?? [] where existing.day == day.day {
      day = max(day, existing)
    }
    if isFinished(day) { day.part += 1 }
    for _ in 0..<3 {
      let path = folder + "/" + day.fileName
      try HistoryFiles.secure(path)
      do throws(DatabaseFailure) {
        let opened = try DayWriter(day, in: folder, after: lastSeq, mode)
        lastSeq = max(lastSeq, opened.lastSeq)
        writer = opened
        if failure != nil {
          lastProblem = "\(day.fileName) was begun: the file before it is damaged"
        }
        return
      } catch {
        if error.isFull || error.isBusy { throw HistoryError(.disk, error.words(path)) }
        failure = error
        day.part += 1
      }
    }
    throw HistoryError(.disk, (failure?.words(folder)) ?? "'\(folder)' cannot be written")
  }

  /// Whether a file takes no more records.
  private func isFinished(_ day: DayName) -> Bool {
    let path = folder + "/" + day.fileName
    guard HistoryFiles.identity(path) != nil else { return false }
    let result = Result { () throws(DatabaseFailure) in
      try Database(path, for: .reading).number("SELECT value FROM meta WHERE key = 'finished'")
    }
    return ((try? result.get()) ?? nil) != nil
  }

  /// Finishes the file and begins the next part of the day, because somebody wants to rewrite what was recorded.
  private func turnOver() throws(HistoryError) {
    guard let day = writer?.name else { return }
    do throws(DatabaseFailure) {
      try writer?.finish()
    } catch {
      lastProblem = error.words(folder + "/" + day.fileName)
    }
    try openWriter(day)
    // A file that could not be finished is the newest still: the request stays.
    if writer?.name != day { Turnover.finish(folder) }
  }

  /// Finishes the file of a day that is over, if its recorder did not.
  private func finish(_ day: DayName) {
    let path = folder + "/" + day.fileName
    do throws(DatabaseFailure) {
      let file = try Database(path, for: .writing)
      guard try file.number("SELECT value FROM meta WHERE key = 'finished'") == nil else { return }
    } catch {
      return  // The reader says what is wrong with it.
    }
    do throws(DatabaseFailure) {
      try DayWriter(day, in: folder, after: 0).finish()
    } catch {
      lastProblem = error.words(path)
    }
  }

  /// The stretches without records since the last call.
  func takeOutages() -> [RecordedOutage] {
    defer { newOutages = [] }
    return newOutages
  }

  // MARK: writing

  /// Writes a batch; after midnight UTC into the file of the new day.
  func write(_ batch: RecorderBatch) throws(HistoryError) {
    let now = nowMs()
    let today = DayName(ms: now)
    if let writer, writer.name.day < today.day {
      endDay(writer)
      try openWriter(today)
    }
    do throws(DatabaseFailure) {
      try writeOnce(batch)
    } catch {
      try recover(from: error, batch)
    }
    if let since = refusedMs {
      refusedMs = nil
      var more = RecorderBatch()
      let outage = RecordedOutage(fromMs: since, toMs: now, reason: .diskFull)
      newOutages.append(outage)
      more.addLink(.outage, now, outage.value)
      try write(more)
    }
    heardMs = now
    if let interval = settings.syncMs, syncDueMs == nil { syncDueMs = now + Int64(interval) }
  }

  private func writeOnce(_ batch: RecorderBatch) throws(DatabaseFailure) {
    guard let writer else { throw DatabaseFailure(code: 14, message: "no file is open") }
    try writer.write(batch, base: base, earlier: earlier)
    lastSeq = writer.lastSeq
    nameBot(batch)
  }

  /// Tries once more with a new writer, because the state of the failed one is not valid: after removing the oldest
  /// files if the disk is full, and in the next part of the day if the file is damaged.
  private func recover(
    from failure: DatabaseFailure, _ batch: RecorderBatch
  ) throws(HistoryError) {
    var day = writer?.name ?? DayName(ms: nowMs())
    let path = folder + "/" + day.fileName
    writer = nil
    if failure.isFull {
      refusedMs = refusedMs ?? nowMs()
      tidy(wanted: 64 << 20)
    }
    if failure.isDamage { day.part += 1 }
    try HistoryFiles.secure(folder + "/" + day.fileName)
    do throws(DatabaseFailure) {
      writer = try DayWriter(day, in: folder, after: lastSeq, mode)
      try writeOnce(batch)
    } catch {
      writer = nil
      throw HistoryError(.disk, error.words(path))
    }
  }

  private func endDay(_ writer: DayWriter) {
    storePins()
    do throws(DatabaseFailure) {
      try writer.finish()
    } catch {
      lastProblem = error.words(writer.path)
    }
    self.writer = nil
    tidiedMs = 0
  }

  // MARK: tasks

  /// Forces the log to the disk and applies retention, when they are due.
  func doTasks() {
    let now = nowMs()
    if Turnover.isWanted(folder) {
      do throws(HistoryError) {
        try turnOver()
      } catch {
        lastProblem = error.description
      }
    }
    if let due = syncDueMs, due <= now {
      syncDueMs = nil
      if let writer { HistoryFiles.synchronizeLog(of: writer.path) }
    }
    if abs(now - heardMs) >= Self.heardIntervalMs { noteHeard(now) }
    if abs(now - tidiedMs) >= Self.tidyIntervalMs { tidy() }
  }

  /// Says that the recorder ran until now: what comes after a crash is an outage from here on.
  private func noteHeard(_ now: Int64) {
    var batch = RecorderBatch()
    batch.addLink(.heard, now, Array("{}".utf8))
    heardMs = now
    do throws(HistoryError) {
      try write(batch)
    } catch {
      lastProblem = error.description
    }
  }

  /// Applies retention.
  ///
  /// - Parameter wanted: bytes to free regardless of age and size.
  private func tidy(wanted: Int = 0) {
    let now = nowMs()
    tidiedMs = now
    let files: [Retention.File]
    do throws(HistoryError) {
      files = try Retention.files(in: folder, newest: writer?.name)
    } catch {
      // Without the pins no file may be removed.
      lastProblem = error.description
      return
    }
    var wanted = wanted
    if let space = HistoryFiles.space(folder) {
      wanted = max(wanted, Retention.reserve(total: space.total) - space.free)
    }
    let gone = Retention.surplus(
      files, keepMs: settings.keepMs, maxBytes: settings.maxBytes, nowMs: now, wanted: wanted)
    noteMissed(gone)
    for day in gone { HistoryFiles.remove(folder + "/" + day.fileName) }
    forgetJudged(gone)
    let left = files.filter { !gone.contains($0.name) }
    cutPinned(left)
    storedBytes = left.reduce(0) { $0 + HistoryFiles.bytes(folder + "/" + $1.name.fileName) }
    let pinned = left.dropLast().filter(\.isPinned).reduce(0) {
      $0 + HistoryFiles.bytes(folder + "/" + $1.name.fileName)
    }
    pinProblem = settings.maxBytes.flatMap { limit in
      guard pinned > limit else { return nil }
      return "pins alone keep \(pinned >> 20) MiB, more than the \(limit >> 20) MiB of max"
    }
    storePins()
  }

  /// Cuts the pinned files that must go to what their pins protect.
  private func cutPinned(_ files: [Retention.File]) {
    let days = Retention.pinnedSurplus(
      files, keepMs: settings.keepMs, maxBytes: settings.maxBytes, nowMs: nowMs())
    guard !days.isEmpty else { return }
    do throws(HistoryError) {
      let ranges = PinnedCut.ranges(try HistoryNotes.pins(in: folder))
      for day in days { try PinnedCut.cut(day, to: ranges, in: folder) }
    } catch {
      lastProblem = error.description
    }
    forgetJudged(days)
  }

  /// Counts what sinks have not delivered of days that go.
  private func noteMissed(_ days: [DayName]) {
    do throws(HistoryError) {
      try HistoryNotes.noteMissed(days, in: folder)
    } catch {
      lastProblem = error.description
    }
  }

  /// What was found in days goes with them.
  private func forgetJudged(_ days: [DayName]) {
    do throws(HistoryError) {
      try HistoryNotes.dropJudged(days, in: folder)
    } catch {
      lastProblem = error.description
    }
  }

  /// Copies the pins into the newest file.
  private func storePins() {
    let pins = Result { () throws(HistoryError) in try HistoryNotes.pins(in: folder) }
    guard case .success(let pins) = pins else { return }
    do throws(DatabaseFailure) {
      try writer?.store(pins: HistoryNotes.copy(pins))
    } catch {
      lastProblem = error.words(writer?.path ?? folder)
    }
  }

  /// Ends the run. The tail stays in the file for the next run.
  func close() {
    guard isBegun else { return }
    var batch = RecorderBatch()
    let stopped = JSONValue.body([("pid", .integer(getpid()))])
    batch.addLink(.stopped, nowMs(), Array(stopped.serialized().utf8))
    do throws(HistoryError) {
      try write(batch)
    } catch {
      lastProblem = error.description
    }
    if let writer { HistoryFiles.synchronizeLog(of: writer.path) }
    writer = nil
    endBot()
  }

  /// Releases the lock: another recorder may use the folder.
  func unlock() { lock = nil }
}
