internal import ClankyWire
package import CockpitHistory
internal import Dispatch
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs one sink on a thread of its own, at a low priority: it reads the history, sends, and keeps how far it is.
package final class SinkThread: Sendable {
  /// What runs, and with what.
  package struct Plan: Sendable {
    package var name: String
    package var kind: String
    /// The history.
    package var folder: String
    /// What the bot is known by, for the first start.
    package var botName: String
    package var level: RedactionLevel
    package var keepsPrompts: Bool
    package var maxLagMs: Int64
    /// Where to begin when the sink is new: rows that arrived from then on, in ms since 1970; nil begins now.
    package var fromMs: Int64?
    /// Whether to begin there although the sink has a place already.
    package var beginsAgain = false
    /// Ends when all is delivered.
    package var isOnce = false
    /// Makes the far end, on the thread of the sink. A thrown error ends the sink.
    package var target: @Sendable (HistoryNotes.SinkBot) throws(SinkProblem) -> any SinkTarget

    package init(
      name: String, kind: String, folder: String, botName: String, level: RedactionLevel,
      keepsPrompts: Bool, maxLagMs: Int64,
      target: @escaping @Sendable (HistoryNotes.SinkBot) throws(SinkProblem) -> any SinkTarget
    ) {
      self.name = name
      self.kind = kind
      self.folder = folder
      self.botName = botName
      self.level = level
      self.keepsPrompts = keepsPrompts
      self.maxLagMs = maxLagMs
      self.target = target
    }
  }

  /// How a sink is.
  package struct State: Hashable, Sendable {
    package var delivered = 0
    package var parked = 0
    package var rejected = 0
    /// How far it is behind, in ms; 0 when all is delivered.
    package var behindMs: Int64 = 0
    package var problem: String?
    /// It ended: for good, with a problem, or because it was stopped.
    package var isOver = false
  }

  private struct Shared {
    var state = State()
    var isStopping = false
  }

  private let plan: Plan
  private let nowMs: @Sendable () -> Int64
  private let shared = Mutex(Shared())
  private let wake = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Starts at once.
  package init(_ plan: Plan, nowMs: @escaping @Sendable () -> Int64) {
    self.plan = plan
    self.nowMs = nowMs
    let thread = Thread { [self] in
      #if canImport(Glibc)
        // On Linux the priority is that of the thread.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
      #endif
      run()
      shared.withLock { $0.state.isOver = true }
      ended.signal()
    }
    thread.name = "sink"
    thread.stackSize = 1 << 20
    thread.start()
  }

  package var name: String { plan.name }
  package var state: State { shared.withLock(\.state) }

  /// Ends the sink after the request in flight.
  ///
  /// - Parameter seconds: how long to wait for it.
  /// - Returns: whether it has ended.
  @discardableResult
  package func stop(waiting seconds: Double) -> Bool {
    shared.withLock { $0.isStopping = true }
    wake.signal()
    guard ended.wait(timeout: .now() + seconds) == .success else { return false }
    ended.signal()
    return true
  }

  // MARK: the thread

  private func run() {
    do throws(SinkProblem) {
      try work()
    } catch {
      shared.withLock { $0.state.problem = error.description }
    }
  }

  private func work() throws(SinkProblem) {
    let bot: HistoryNotes.SinkBot
    let source: SinkSource
    var record: HistoryNotes.SinkRecord
    let places: HistoryNotes.SidePlaces
    do throws(HistoryError) {
      bot = try HistoryNotes.sinkBot(named: plan.botName, in: plan.folder)
      source = try SinkSource(
        folder: plan.folder, bot: bot, level: plan.level, keepsPrompts: plan.keepsPrompts)
      (record, places) = try begin(source)
    } catch {
      throw SinkProblem(error.description)
    }
    let target = try plan.target(bot)
    target.begin(state: record.state)
    var machine = SinkMachine(place: record.place, isOnce: plan.isOnce)
    let (delivered, parked, rejected) = (record.delivered, record.parked, record.rejected)
    var page: [SinkRow] = []
    var beside = SideDelivery(places, for: target)
    var command = machine.take(.begin)
    while true {
      let isStopping = shared.withLock(\.isStopping)
      if isStopping { command = machine.take(.stop) }
      let random = Double.random(in: 0..<1)
      switch command {
      case .read(let after):
        command = machine.take(read(source, after, target, &page, &beside), random: random)
      case .send(let range):
        var answer = target.send(page[range], nowMs: nowMs())
        if range.isEmpty, case .accepted = answer {
          answer = beside.send(to: target, nowMs: nowMs()) ?? answer
        }
        command = machine.take(.answered(answer, held: target.held), random: random)
      case .keep(let row):
        record.place = machine.place
        record.delivered = delivered + machine.delivered
        record.parked = parked + machine.parked
        record.rejected = rejected + machine.rejected
        record.state = target.state
        note(machine, &record)
        let rows = row.map { [Self.parked($0, page, record, nowMs())] } ?? []
        try keep(record, rows, beside.news)
        beside.kept()
        command = machine.take(.kept, random: random)
      case .wait(let ms):
        let before = record.problem
        note(machine, &record)
        // What is shown of a sink that fails is no older than its last attempt; a quiet one writes nothing.
        if record.problem != before || record.behindMs > 0 { try keep(record, []) }
        _ = wake.wait(timeout: .now() + .milliseconds(Int(clamping: ms)))
        command = machine.take(.woken)
      case .end:
        finish(target, machine, &record, wasStopped: isStopping)
        try keep(record, [])
        return
      }
    }
  }

  private func begin(
    _ source: SinkSource
  ) throws(HistoryError) -> (HistoryNotes.SinkRecord, HistoryNotes.SidePlaces) {
    let known = try HistoryNotes.sinks(in: plan.folder).first { $0.name == plan.name }
    var record = known ?? HistoryNotes.SinkRecord(name: plan.name, kind: plan.kind)
    var places = try HistoryNotes.sidePlaces(of: plan.name, in: plan.folder)
    if known == nil || plan.beginsAgain || record.kind != plan.kind {
      places = nil
      if let fromMs = plan.fromMs {
        record.place = try source.place(beforeReceivedMs: fromMs)
      } else {
        record.place = try source.newest()?.place ?? SequencePlace()
      }
      if record.kind != plan.kind { record.state = "" }
    }
    record.kind = plan.kind
    record.maxLagMs = plan.maxLagMs
    record.updatedMs = nowMs()
    if let places {
      try HistoryNotes.keep(record, in: plan.folder)
      return (record, places)
    }
    let begin = try source.sidePlaces(
      beginningAfter: record.place, sinceMs: plan.fromMs ?? record.updatedMs)
    try HistoryNotes.keep(record, beside: begin, in: plan.folder)
    return (record, begin)
  }

  private func read(
    _ source: SinkSource, _ after: SequencePlace, _ target: any SinkTarget,
    _ page: inout [SinkRow], _ beside: inout SideDelivery
  ) -> SinkMachine.Input {
    do throws(HistoryError) {
      let found = try source.page(after: after, nowMs: nowMs())
      page = found.rows
      let entries = page.map {
        SinkMachine.Entry(place: $0.place, receivedMs: $0.receivedMs, problem: $0.problem)
      }
      // Behind a whole page there are rows, which come first.
      if !found.isWhole {
        try beside.read(source, through: page.last?.place.seq ?? after.seq, nowMs: nowMs())
      }
      return .page(
        entries, isWhole: found.isWhole, isDue: target.isDue(nowMs: nowMs()) || beside.isDue)
    } catch {
      page = []
      return .unreadable(error.description)
    }
  }

  /// What a once-only run still has is delivered; a stopped sink continues from there at its next start.
  private func finish(
    _ target: any SinkTarget, _ machine: SinkMachine, _ record: inout HistoryNotes.SinkRecord,
    wasStopped: Bool
  ) {
    note(machine, &record)
    guard !wasStopped else { return }
    switch target.finish(nowMs: nowMs()) {
    case .accepted(let left, _):
      record.rejected += left
      record.place = machine.readThrough
      record.state = target.state
    case .busy(let words, _), .refused(let words), .closed(let words):
      record.problem = words
      let problem = words
      shared.withLock { $0.state.problem = problem }
    }
  }

  private func note(_ machine: SinkMachine, _ record: inout HistoryNotes.SinkRecord) {
    let now = nowMs()
    record.behindMs = machine.oldestWaitingMs.map { max(0, now - $0) } ?? 0
    record.problem = machine.problem
    record.updatedMs = now
    let (behindMs, problem) = (record.behindMs, record.problem)
    let (delivered, parked, rejected) = (machine.delivered, machine.parked, machine.rejected)
    shared.withLock { shared in
      shared.state.behindMs = behindMs
      shared.state.problem = problem
      shared.state.delivered = delivered
      shared.state.parked = parked
      shared.state.rejected = rejected
    }
  }

  private func keep(
    _ record: HistoryNotes.SinkRecord, _ rows: [HistoryNotes.ParkedRow],
    _ beside: HistoryNotes.SidePlaces? = nil
  ) throws(SinkProblem) {
    var tries = 0
    while true {
      do throws(HistoryError) {
        return try HistoryNotes.keep(record, parking: rows, beside: beside, in: plan.folder)
      } catch {
        tries += 1
        let words = error.description
        shared.withLock { $0.state.problem = words }
        // A place that is not kept is no loss: the rows are sent again, and the far end drops them.
        guard tries < 60, !shared.withLock(\.isStopping) else { throw SinkProblem(words) }
        _ = wake.wait(timeout: .now() + 1)
      }
    }
  }

  private static func parked(
    _ parked: SinkMachine.Parked, _ page: [SinkRow], _ record: HistoryNotes.SinkRecord,
    _ nowMs: Int64
  ) -> HistoryNotes.ParkedRow {
    let row = page[parked.row]
    return HistoryNotes.ParkedRow(
      sink: record.name, seq: row.place.seq, atMs: row.atMs, key: row.keyText,
      kind: row.label.kind, answer: String(parked.answer.prefix(300)), parkedMs: nowMs)
  }
}

/// Why a sink cannot run, as a sentence for the user without a full stop.
package struct SinkProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
