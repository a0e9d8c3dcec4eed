package import CockpitDomain
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Writes records into day files, on a thread of its own. Callers only copy bytes; they never wait for the disk.
package final class HistoryRecorder: Sendable {
  private struct Shared {
    var pending = RecorderBatch()
    /// Bytes of the batch that is being written.
    var inFlight = 0
    var hasStarted = false
    var isStopping = false
    /// Whether the thread ended without writing everything.
    var hasLeftovers = false
    var state = RecorderState()
    /// The time of the last arrival: our clock may be set back.
    var receivedMs: Int64 = .min
    /// When records began to be lost, and the number of lost rows.
    var loss: (sinceMs: Int64, rows: Int)?
  }

  private let shared = Mutex(Shared())
  private let settings: RecorderSettings
  private let clock: RecorderClock
  private let network: @Sendable (String) -> String?
  private let wake = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// How long the thread sleeps at most, in milliseconds.
  private static let idleMs: Int64 = 10_000

  /// The folder of the day files.
  package let folder: String

  /// - Parameters:
  ///   - folder: created if it is missing.
  ///   - startsNow: false to start the thread with `start`; until then records wait in memory.
  ///   - network: the type of the file system of a folder, if it is one of a network.
  package init(
    folder: String, _ settings: RecorderSettings, startsNow: Bool = true, clock: RecorderClock,
    network: @escaping @Sendable (String) -> String? = FileSystemKind.network(of:)
  ) {
    self.folder = folder
    self.settings = settings
    self.clock = clock
    self.network = network
    if startsNow { start() }
  }

  /// A recorder with a clock that is never set: for tests.
  package convenience init(
    folder: String, _ settings: RecorderSettings, startsNow: Bool = true,
    nowMs: @escaping @Sendable () -> Int64
  ) {
    self.init(folder: folder, settings, startsNow: startsNow, clock: RecorderClock(nowMs))
  }

  private func nowMs() -> Int64 { clock.nowMs() }

  /// Starts the thread, which opens the folder. Later calls do nothing.
  ///
  /// - Returns: whether this call has started it.
  @discardableResult package func start() -> Bool {
    let isFirst = shared.withLock { shared in
      defer { shared.hasStarted = true }
      return !shared.hasStarted && !shared.isStopping
    }
    guard isFirst else { return false }
    let thread = Thread { [self] in
      work(RecorderFiles(folder: folder, settings, nowMs: clock.nowMs, network: network))
      ended.signal()
    }
    thread.name = "recorder"
    thread.stackSize = 1 << 20
    thread.start()
    return true
  }

  package var state: RecorderState { shared.withLock(\.state) }

  // MARK: records

  /// A new row.
  ///
  /// - Parameter number: its number in this run, in increasing order.
  package func row(
    number: Int, receivedMs: Int64, channels: RowOrigins, json: UnsafeRawBufferPointer
  ) {
    let receivedMs = arrival(receivedMs)
    add(json, isRow: true) {
      .row(number: Int64(number), receivedMs: receivedMs, channels, $0)
    }
  }

  /// A row was seen on another channel, or its id became known.
  package func learned(number: Int, actionID: Int?, channels: RowOrigins) {
    add(UnsafeRawBufferPointer(start: nil, count: 0)) { _ in
      .learned(number: Int64(number), actionID: actionID, channels)
    }
  }

  /// A row has longer bytes now.
  package func replaced(number: Int, json: UnsafeRawBufferPointer) {
    add(json) { .replaced(number: Int64(number), $0) }
  }

  /// A document. It is not written if it equals the last of its name.
  package func document(
    name: String, atMs: Int64, receivedMs: Int64, body: UnsafeRawBufferPointer
  ) {
    let receivedMs = arrival(receivedMs)
    add(body) { .document(name: name, atMs: atMs, receivedMs: receivedMs, $0) }
  }

  /// Something about the connection.
  ///
  /// - Parameter value: a JSON object.
  package func link(
    _ what: RecordedLink.What, atMs: Int64, receivedMs: Int64, value: [UInt8]
  ) {
    let receivedMs = arrival(receivedMs)
    value.withUnsafeBytes { bytes in
      add(bytes) { .link(what, atMs: atMs, receivedMs: receivedMs, $0) }
    }
  }

  /// The time of an arrival, not before that of the last one.
  private func arrival(_ ms: Int64) -> Int64 {
    shared.withLock { shared in
      shared.receivedMs = max(shared.receivedMs, ms)
      return shared.receivedMs
    }
  }

  /// A stretch without records.
  package func outage(_ outage: RecordedOutage) {
    shared.withLock { $0.state.note(outage) }
    link(.outage, atMs: outage.toMs, receivedMs: nowMs(), value: outage.value)
  }

  private func add(
    _ bytes: UnsafeRawBufferPointer, isRow: Bool = false,
    _ item: (Range<Int>) -> RecorderBatch.Item
  ) {
    let isFirst = shared.withLock { shared in
      switch shared.state.activity {
      case .other, .failed, .stopped: return false
      case .starting, .recording, .paused: break
      }
      guard shared.pending.weight + shared.inFlight + bytes.count <= settings.bufferBytes else {
        if isRow { shared.state.lostRows += 1 } else { shared.state.lostRecords += 1 }
        var loss = shared.loss ?? (nowMs(), 0)
        if isRow { loss.rows += 1 }
        shared.loss = loss
        return false
      }
      let isFirst = shared.pending.isEmpty
      shared.pending.add(bytes, item)
      return isFirst
    }
    if isFirst { wake.signal() }
  }

  /// Writes the waiting records, and ends the thread.
  ///
  /// - Parameter seconds: how long to wait for that.
  /// - Returns: whether all was written.
  @discardableResult
  package func stop(waiting seconds: Double = 5) -> Bool {
    start()
    let isFirst = shared.withLock { shared in
      defer { shared.isStopping = true }
      return !shared.isStopping
    }
    guard isFirst else { return true }
    wake.signal()
    return ended.wait(timeout: .now() + seconds) == .success
      && !shared.withLock(\.hasLeftovers)
  }

  // MARK: the thread

  private func work(_ files: RecorderFiles) {
    shared.withLock { $0.state.sinceMs = nowMs() }
    var isOpen = open(files)
    var left: RecorderBatch?
    var watch = ClockWatch(clock)
    while true {
      let isStopping = shared.withLock(\.isStopping)
      if !isStopping { pause(files, isIdle: isOpen && left == nil) }
      note(watch.check())
      if !isOpen {
        if shared.withLock(\.isStopping) { break }
        isOpen = open(files)
        guard isOpen else { continue }
      }
      let batch = left ?? take()
      left = write(batch, files)
      let isOver = shared.withLock { $0.isStopping && $0.pending.isEmpty }
      if isOver || isStopping && left != nil { break }
    }
    noteLeftovers(left)
    files.close()
    shared.withLock { shared in
      if case .failed = shared.state.activity { return }
      shared.state.activity = .stopped
    }
    files.writeStatus(state)
    files.unlock()
  }

  /// Records that the machine slept or that its clock was set.
  private func note(_ found: (sleptMs: Int64?, stepMs: Int64?)) {
    let now = nowMs()
    if let slept = found.sleptMs {
      let outage = RecordedOutage(fromMs: now - slept, toMs: now, reason: .asleep)
      link(.asleep, atMs: now, receivedMs: now, value: outage.value)
      self.outage(outage)
    }
    if let step = found.stepMs {
      link(.clockStep, atMs: now, receivedMs: now, value: Array("{\"by_ms\":\(step)}".utf8))
    }
  }

  /// Counts the records as lost that the thread could not write before its end.
  private func noteLeftovers(_ left: RecorderBatch?) {
    shared.withLock { shared in
      for batch in [left ?? RecorderBatch(), shared.pending] where !batch.isEmpty {
        shared.state.lostRows += batch.rows
        shared.state.lostRecords += batch.items.count - batch.rows
        shared.hasLeftovers = true
      }
      shared.pending = RecorderBatch()
    }
  }

  /// Waits for a record and then for `windowMs`, so that a transaction takes several; after a failure, for the time of
  /// the next attempt.
  private func pause(_ files: RecorderFiles, isIdle: Bool) {
    guard isIdle else {
      // Upkeep takes seconds.
      let isUpkeep = HistoryLock.isUpkeep(of: folder)
      let retryMs = isUpkeep ? min(500, settings.retryMs) : settings.retryMs
      _ = wake.wait(timeout: .now() + .milliseconds(retryMs))
      return
    }
    let limit = min(files.nextTaskMs.map { max(0, $0 - nowMs()) } ?? .max, Self.idleMs)
    let hasRecords = wake.wait(timeout: .now() + .milliseconds(Int(limit))) == .success
    guard hasRecords, !shared.withLock(\.isStopping) else { return }
    _ = wake.wait(timeout: .now() + .milliseconds(settings.windowMs))
  }

  private func take() -> RecorderBatch {
    shared.withLock { shared in
      var batch = shared.pending
      shared.pending = RecorderBatch()
      shared.inFlight = batch.weight
      if let loss = shared.loss {
        shared.loss = nil
        let outage = RecordedOutage(
          fromMs: loss.sinceMs, toMs: nowMs(), reason: .lost, rows: loss.rows)
        shared.state.note(outage)
        outage.value.withUnsafeBytes { value in
          batch.add(value) {
            .link(.outage, atMs: outage.toMs, receivedMs: outage.toMs, $0)
          }
        }
      }
      return batch
    }
  }

  private func open(_ files: RecorderFiles) -> Bool {
    do throws(HistoryError) {
      let isOurs = try files.open()
      shared.withLock { shared in
        if isOurs {
          shared.state.activity = .recording
          shared.state.lastError = nil
          shared.state.storedBytes = files.storedBytes
        } else {
          shared.state.activity = .other(pid: files.otherRecorder)
          shared.pending = RecorderBatch()
          shared.loss = nil
        }
      }
      return isOurs
    } catch {
      shared.withLock { shared in
        shared.state.lastError = error.description
        shared.state.activity =
          error.reason == .refused ? .failed(error.description) : .paused(error.description)
        if error.reason == .refused { shared.pending = RecorderBatch() }
      }
      return false
    }
  }

  /// - Returns: the batch if it could not be written.
  private func write(_ batch: RecorderBatch, _ files: RecorderFiles) -> RecorderBatch? {
    let startNs = DispatchTime.now().uptimeNanoseconds
    do throws(HistoryError) {
      if !batch.isEmpty { try files.write(batch) }
      let tookMs = Int((DispatchTime.now().uptimeNanoseconds - startNs) / 1_000_000)
      files.doTasks()
      shared.withLock { shared in
        shared.inFlight = 0
        shared.state.rows += batch.rows
        shared.state.documents += batch.documents
        shared.state.rawBytes += batch.bytes.count
        shared.state.lastWriteMs = tookMs
        shared.state.storedBytes = files.storedBytes
        shared.state.activity = .recording
        shared.state.lastError = files.problem
        shared.state.failingSinceMs = nil
        for outage in files.takeOutages() { shared.state.note(outage) }
      }
      files.noteStatus(state)
      return nil
    } catch {
      shared.withLock { shared in
        shared.state.activity = .paused(error.description)
        shared.state.lastError = error.description
        shared.state.failingSinceMs = files.refusedMs
      }
      files.noteStatus(state)
      return batch
    }
  }
}
