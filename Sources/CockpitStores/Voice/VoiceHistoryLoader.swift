package import CockpitDomain
package import Networking
internal import ClankyWire
import Observation

/// Fetches past voice sessions: the list, sessions without an end, the events of an opened one, the
/// events of a live one from before the stored rows, and, a few at a time, summaries of those on
/// screen.
@MainActor
@Observable
package final class VoiceHistoryLoader {
  private let voice: VoiceStore
  private let connection: ConnectionStore
  private let channel: any RequestChannel
  private let clock: any LinkClock
  /// The sessions whose events are being fetched for a summary; true if the events are to be kept,
  /// because the session was opened meanwhile.
  @ObservationIgnored private var current: [String: Bool] = [:]
  /// Maximum parallel requests: the backend serves each on the thread that runs the bot.
  private static let atOnce = 2
  /// The sessions on the screen at the last frame that showed them, and when that was.
  @ObservationIgnored private var wanted: [String] = []
  @ObservationIgnored private var wantedNs: UInt64 = 0
  /// How long after the last frame further requests are sent.
  private static let lookedAtNs: UInt64 = 3_000_000_000
  private var openRequests = 0

  package init(
    voice: VoiceStore, connection: ConnectionStore, channel: any RequestChannel,
    clock: any LinkClock
  ) {
    self.voice = voice
    self.connection = connection
    self.channel = channel
    self.clock = clock
  }

  private var isConnected: Bool {
    connection.status.overall == .live || connection.status.overall == .polling
  }

  /// Asks for the list of past sessions (contract 7.1), for the beginnings and ends on record, and for other
  /// rows that name a session: one in which the bot crashed is in no list.
  package func loadList() {
    let target = RequestTarget(
      ["api", "voice", "history", "sessions"], query: [.init("limit", "50")])
    request(target) { [voice] result in
      switch result {
      case .success(let body): body.withUnsafeBytes { voice.applyHistory($0) }
      case .failure(let problem): voice.historyFailed(problem.sentence)
      }
    }
    request(.voiceBounds()) { [voice, weak self] result in
      // On failure the list stays; the list reports its own failure.
      guard let self, case .success(let body) = result else { return }
      body.withUnsafeBytes { voice.applyBounds($0, nowMs: nowMs) }
    }
    request(.voiceSightings()) { [voice, weak self] result in
      guard let self, case .success(let body) = result else { return }
      body.withUnsafeBytes { voice.applySightings($0, nowMs: nowMs) }
    }
  }

  /// Now on the backend's clock.
  private var nowMs: Int64 { connection.status.serverMs(clock.wallMs) }

  /// Requests the events of one past session, at most the first 500 (contract 7.1), and then those
  /// after them.
  package func open(_ id: String) {
    if current[id] != nil {
      current[id] = true
    } else {
      events(of: id) { [weak self, voice] body in
        body.withUnsafeBytes { voice.applyReplay($0, of: id) }
        self?.loadRest(of: id)
      }
    }
  }

  private func loadRest(of id: String) {
    guard let target = voice.restTarget(of: id, nowMs: nowMs) else { return }
    request(target) { [voice] result in
      // Missing events are reported beside those present.
      guard case .success(let body) = result else { return }
      body.withUnsafeBytes { voice.applyRest($0, of: id) }
    }
  }

  /// Requests the events of a live session from before the stored rows.
  ///
  /// - Parameter rowsBeginMs: the time from which all rows of voice sessions are stored; nil if
  ///   unknown.
  package func loadEarlier(of id: String, rowsBeginMs: Int64?) {
    request(RequestTarget(["api", "voice", "history", "sessions", id, "events"])) {
      [weak self, voice] result in
      switch result {
      case .success(let body):
        guard body.withUnsafeBytes({ voice.applyEarlier($0, of: id) }) else { return }
        let extent = voice.record(id)?.extent(rowsBeginMs: rowsBeginMs, isLive: true)
        if extent?.isWhole == false { self?.loadRest(of: id) }
      case .failure(let problem): voice.earlierFailed(problem.sentence, of: id)
      }
    }
  }

  /// Fetches missing summaries of these sessions, a few at a time and each only once. Call with
  /// each frame that shows them; it stops when no frame does.
  package func keepSummaries(_ wanted: [String]) {
    self.wanted = wanted
    wantedNs = clock.nowNs
    loadSummaries()
  }

  private func loadSummaries() {
    guard isConnected, current.count < Self.atOnce else { return }
    let missing = wanted.lazy.filter { [self] id in
      current[id] == nil && (voice.summaries[id] == nil || lacksEvents(id))
    }
    for id in missing.prefix(Self.atOnce - current.count) { loadSummary(of: id) }
  }

  private func loadSummary(of id: String) {
    current[id] = false
    events(of: id) { [weak self] body in
      guard let self else { return }
      let isKept = isShown(id) || current[id] == true
      body.withUnsafeBytes {
        if isKept { voice.applyReplay($0, of: id) } else { voice.applySummary($0, of: id) }
      }
      if isKept { loadRest(of: id) }
    }
  }

  /// With no live session the newest past one is on screen with its lanes and transcript.
  private func isShown(_ id: String) -> Bool {
    voice.sessions.isEmpty && id == voice.history.first?.sessionID
  }

  /// Whether it was summed up while something else was on the screen.
  private func lacksEvents(_ id: String) -> Bool {
    isShown(id) && !voice.hasReplay(id) && voice.summaries[id]?.problem == nil
  }

  private func events(of id: String, _ take: @escaping @MainActor ([UInt8]) -> Void) {
    let target = RequestTarget(["api", "voice", "history", "sessions", id, "events"])
    request(target) { [weak self] result in
      switch result {
      case .success(let body): take(body)
      case .failure(let problem): self?.voice.replayFailed(problem.sentence, of: id)
      }
      guard let self, current.removeValue(forKey: id) != nil else { return }
      if clock.nowNs &- wantedNs < Self.lookedAtNs { loadSummaries() }
    }
  }

  // MARK: Requests

  private struct Problem: Error { var sentence: String }

  private func request(
    _ target: RequestTarget, _ take: @escaping @MainActor (Result<[UInt8], Problem>) -> Void
  ) {
    openRequests += 1
    channel.request(RestRequest(.get, target)) { [weak self] result in
      switch result {
      case .success(let answer) where answer.isSuccess: take(.success(answer.body))
      case .success(let answer):
        take(.failure(Problem(sentence: "the backend answered \(answer.status)")))
      case .failure(let failure): take(.failure(Problem(sentence: failure.description)))
      }
      self?.openRequests -= 1
    }
  }

  /// Waits until all answers are there, 1.5 s at most.
  package func waitUntilIdle() async {
    await waitUntil(atMostNs: 1_500_000_000, on: clock) { [self] in openRequests == 0 }
  }
}
