import CockpitAnswers
import CockpitDomain
import CockpitFiles
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import Networking
import TerminalCore

/// One run of `watch`: a bot that is judged every second, and alarms that go out.
@MainActor
final class WatchRun {
  enum End {
    case signal(Int32)
    /// The source gave up.
    case failed(LinkFailure)
    /// A single look is over.
    case looked(open: Int)
    case cancelled
  }

  var limits = AlarmLatch.Limits()
  /// Whether it ends after one look.
  var isOnce = false
  var isJSON = false
  var channels: [any AlarmChannel] = []

  private let model: CockpitModel
  private let environment: CockpitSession.Environment
  private let files: AlarmFiles?
  private let notice: ServiceNotice
  private var saved: AlarmFiles.Saved
  private var silences: AlarmSilences
  private var timer: (any LinkTimer)?
  private var done: (@MainActor (End) -> Void)?
  private var turns = 0
  /// On the monotonic clock; nil until the bot was heard.
  private var heardNs: UInt64?
  private var onceNs: UInt64?
  private var hasFetched = false
  private var isSaveDue = false
  private var lastSaveMs: Int64 = 0
  private var dropped = 0
  private let past: PastJudge
  /// Messages that a run before this one may have sent.
  private var old: Set<String>

  private static let turnMs: UInt64 = 1000
  /// So long rows of the past are waited for.
  private static let settlingNs = Nanoseconds.seconds(15)
  /// So long a single look waits for what is on its way.
  private static let drainingNs = Nanoseconds.seconds(60)
  /// How often the file learns that an alarm still lasts, in ms.
  private static let saveMs: Int64 = 60_000
  private static let outboxLimit = 200
  /// A single look that knows of none before it goes back so far, in ms.
  private static let lookMs: Int64 = 600_000
  private static let historyMs: Int64 = 3_600_000

  init(_ model: CockpitModel, files: AlarmFiles?, in environment: CockpitSession.Environment) {
    self.model = model
    self.environment = environment
    self.files = files
    notice = ServiceNotice(environment.variables)
    past = PastJudge(model.bot.clock, nowMs: { model.bot.serverNowMs }) { isCancelled in
      await model.readPast(isRecorded: true, isCancelled: isCancelled)
    }
    saved = files?.load(.watch) ?? AlarmFiles.Saved()
    silences = files?.silences() ?? AlarmSilences()
    old = Set(saved.outbox.map(\.message.id))
  }

  func untilEnd() async -> End {
    let signals = environment.scope == nil ? EndSignal() : nil
    let end = await awaitCallback(ifCancelled: .cancelled) { done in
      self.done = done
      if let signals {
        Task { @MainActor in self.finish(.signal(await signals.first())) }
      }
      // What a channel that is not in use any more was to get stays for it, and is not lost.
      model.bot.start()
      turn()
    }
    timer?.cancel()
    past.stop()
    for channel in channels { channel.stop() }
    notice.send("STOPPING=1")
    model.bot.source.stop()
    save()
    return end
  }

  private func finish(_ end: End) {
    done?(end)
    done = nil
  }

  // MARK: Every second

  private func turn() {
    guard done != nil else { return }
    turns += 1
    let bot = model.bot
    bot.source.tick()
    if bot.source.status.overall == .stopped, let failure = bot.source.status.failure {
      return finish(.failed(failure))
    }
    if isReady() { look() }
    deliver()
    if isSaveDue || bot.serverNowMs - lastSaveMs >= Self.saveMs, heardNs != nil { save() }
    for complaint in files?.takeComplaints() ?? [] { environment.output.complain(complaint) }
    if turns % 10 == 0 { notice.send("WATCHDOG=1", "STATUS=\(status)") }
    guard done != nil else { return }
    timer = model.bot.clock.schedule(afterNs: Nanoseconds.milliseconds(Self.turnMs)) {
      [weak self] in self?.turn()
    }
  }

  private var status: String {
    let open = saved.latch.entries.values.count(where: \.isSaid)
    return "\(open) \(open == 1 ? "alarm" : "alarms") open"
  }

  /// Whether enough is known to judge: the bot was heard, and the rows of the last hour are here, as far as they can
  /// be had. What lasted before a restart would else seem to be over.
  private func isReady() -> Bool {
    let bot = model.bot
    if model.isGateway { return isGatewayReady() }
    guard bot.connection.hasRows, bot.activity.stats != nil else { return heardNs != nil }
    guard let heardNs else {
      heardNs = model.nowNs
      notice.send("READY=1", "STATUS=watching")
      if !isOnce { past.start() }
      if isOnce {
        let sinceMs = saved.lookedMs.map { max($0, bot.serverNowMs - 86_400_000) }
        model.freshness = RowFreshness(
          sinceMs: sinceMs ?? bot.serverNowMs - Self.lookMs, stored: .all)
      }
      bot.source.fetchHistory(
        HistoryRequest(sinceMs: bot.serverNowMs - model.neededMs, isUserRequested: false))
      fetchAutomations()
      return false
    }
    if !hasFetched {
      let beginMs = bot.activity.coverage.beginMs()
      hasFetched =
        beginMs.map { $0 <= bot.serverNowMs - model.neededMs } ?? false
        || model.nowNs - heardNs > Self.settlingNs
      guard hasFetched else { return false }
    }
    return true
  }

  /// A gateway sends no past rows: judging begins when it has listed what waits.
  private func isGatewayReady() -> Bool {
    guard heardNs == nil else { return true }
    guard model.bot.control.board != nil else { return false }
    heardNs = model.nowNs
    notice.send("READY=1", "STATUS=watching")
    if !isOnce { past.start() }
    return true
  }

  /// All alarms that are open now.
  private var alarms: [Alarm] {
    let board = model.bot.control.board
    return model.alarms
      + (board.map { Alarm.waiting(in: $0, nowMs: model.bot.serverNowMs) } ?? [])
  }

  private func fetchAutomations() {
    guard !model.isGateway else { return }
    model.bot.fetch([.command(.loadGuilds)])
    let guilds = model.bot.connection.names.guilds.keys.sorted()
    model.bot.fetch(guilds.map { .command(.loadAutomations(guild: $0)) })
  }

  private func look() {
    let bot = model.bot
    if turns % 10 == 0 {
      model.fetchAutomations()
      silences = files?.silences() ?? silences
      silences.expire(nowMs: bot.serverNowMs)
    }
    if turns % 60 == 0 { fetchAutomations() }
    guard model.judge() else { return }
    let nowMs = bot.serverNowMs
    let before = saved.latch
    let events = saved.latch.step(
      alarms, silences: silences, limits: limits,
      coveredFromMs: bot.activity.coverage.beginMs(), nowMs: nowMs)
    for event in events {
      let message = AlarmMessage(event, bot: bot.connection.address, nowMs: nowMs)
      say(message)
      guard !channels.isEmpty else { continue }
      saved.outbox.append(AlarmDelivery(message, to: Set(channels.map(\.name))))
      if saved.outbox.count > Self.outboxLimit {
        saved.outbox.removeFirst()
        dropped += 1
        if dropped == 1 || dropped % 100 == 0 {
          environment.output.complain(
            "\(dropped) alarms were dropped: more than \(Self.outboxLimit) wait for a channel")
        }
      }
    }
    saved.lookedMs = nowMs
    if !events.isEmpty || before.entries.count != saved.latch.entries.count {
      // Before anything goes out: what is not remembered could be said twice.
      save()
    }
    if isOnce { endOnce() }
  }

  private func endOnce() {
    let start = onceNs ?? model.nowNs
    onceNs = start
    let names = Set(channels.map(\.name))
    let isWaiting = saved.outbox.contains { !$0.channels.isDisjoint(with: names) }
    guard !isWaiting || model.nowNs - start > Self.drainingNs else { return }
    let nowMs = model.bot.serverNowMs
    let open = alarms.filter { alarm in
      alarm.trouble.level >= limits.least && !silences.isSilent(alarm.trouble, nowMs: nowMs)
    }
    finish(.looked(open: open.count))
  }

  // MARK: Out

  private func say(_ message: AlarmMessage) {
    guard isJSON else {
      let clock = model.clock
      let time = clock.time(ms: model.bot.serverNowMs)
      environment.output.line(
        time + " " + PlainText(message.title, limit: 120) + ": "
          + PlainText(message.text, limit: 400))
      return
    }
    environment.output.line(message.line)
  }

  /// Gives each channel that is ready the oldest message that waits for it.
  private func deliver() {
    for channel in channels where channel.isReady {
      let next = saved.outbox.first { $0.channels.contains(channel.name) }
      guard let delivery = next else { continue }
      let message =
        old.contains(delivery.message.id) ? delivery.message.repeated : delivery.message
      channel.send(message) { [weak self] in
        self?.taken(delivery.message, channel.name)
      } onDone: { [weak self] in
        self?.deliver()
      }
    }
  }

  private func taken(_ message: AlarmMessage, _ channel: String) {
    guard
      let place = saved.outbox.firstIndex(where: {
        $0.message == message && $0.channels.contains(channel)
      })
    else { return }
    saved.outbox[place].channels.remove(channel)
    if saved.outbox[place].channels.isEmpty { saved.outbox.remove(at: place) }
    save()
  }

  private func save() {
    isSaveDue = !(files?.save(saved, .watch) ?? true)
    lastSaveMs = model.bot.serverNowMs
  }
}
