internal import ClankyWire
package import CockpitDomain
internal import DeviceKeys
internal import ElevenLabsWire
internal import LenientJSON
package import Networking

extension SourceChannel {
  /// The REST interface that is asked again and again.
  package static let service = SourceChannel("service", transport: "HTTP")
}

/// Conversations with ElevenLabs agents as a source: those of the account as rows, and a live one.
@MainActor
package final class ConversationSource: ControlledSource {
  package let live: LiveConversation
  package let chat: AgentChat
  let client: ServiceClient
  let clock: any LinkClock
  private let network: @MainActor () -> NetworkKind
  private let isLocal: Bool
  weak var sink: (any SourceSink)?
  var picture = ServicePicture()
  private var known = SourceStatus()
  private var history = ServiceHistory()
  private var feed = ConversationFeed()
  private var schedule = PollSchedule()
  private var pollTimer: (any LinkTimer)?
  private var documentTimer: (any LinkTimer)?
  private let refusals: RefusedRequests
  private var polls = 0
  /// Whether the service has answered since the start.
  private var hasAnswer = false
  private var lastHeardNs: UInt64 = 0
  private var lastBoard: [UInt8] = []
  private var lastControl: [UInt8] = []
  /// How approvals ended, the newest last.
  var over: [(id: String, words: String, atMs: Int64)] = []
  /// Whether the key or the agent is refused, by the last answer.
  package private(set) var isRefused = false
  /// The list of agents changes rarely: it is asked for once in so many polls.
  private static let agentsEvery = 10

  /// - Parameters:
  ///   - transport: carries out HTTP and WebSocket.
  ///   - network: what the default route is, now.
  package init(
    _ setup: Conversation.Setup, agent: String, base: BackendURL, key: TokenText?,
    transport: any Transport & WebSocketTransport, clock: any LinkClock,
    network: @escaping @MainActor () -> NetworkKind
  ) {
    let client = ServiceClient(base: base, key: key, transport: transport)
    // The client of the live one is its own: ending a conversation cancels its requests.
    live = LiveConversation(
      setup, agent: agent, client: ServiceClient(base: base, key: key, transport: transport),
      transport: transport, clock: clock)
    chat = AgentChat(live)
    self.client = client
    self.clock = clock
    refusals = RefusedRequests("A source of conversations does not have this.", clock: clock)
    self.network = network
    isLocal = base.isLoopback
    known[.service] = StreamStatus()
    live.observe { [weak self] in self?.hear($0) }
  }

  // MARK: Source

  package var kind: SourceKind { .elevenlabs }

  package var status: SourceStatus {
    var status = known
    status[.service].lastByteAtNs = lastHeardNs > 0 ? lastHeardNs : nil
    return status
  }

  package func start(into sink: any SourceSink) {
    guard self.sink == nil else { return }
    self.sink = sink
    say { $0.overall = .connecting }
    publish()
    poll()
  }

  package func stop() {
    live.stop()
    pollTimer?.cancel()
    documentTimer?.cancel()
    (pollTimer, documentTimer) = (nil, nil)
    client.cancel()
    refusals.cancelAll()
    say {
      $0.overall = .stopped
      $0.failure = nil
      $0.retryAtNs = nil
    }
    sink = nil
  }

  package func retryNow() {
    guard sink != nil else { return }
    schedule = PollSchedule()
    poll()
  }

  package func tick() { publishSoon() }

  package func reconcileNow() { retryNow() }

  /// What the list has is all there is.
  package func fetchHistory(_ request: HistoryRequest) {}

  /// There are no routes of Clanky's.
  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle { refusals.refuse(completion) }

  // MARK: Polling

  private func poll() {
    pollTimer?.cancel()
    picture.network = network()
    guard isLocal || picture.network != .none else {
      say {
        $0.overall = .reconnecting
        $0.failure = .stated("There is no network: this machine has no default route.")
      }
      return wait(.offline)
    }
    polls += 1
    client.get(["convai", "conversations"], query: [.init("page_size", "30")]) {
      [weak self] result in self?.take(conversations: result)
    }
    guard client.hasKey else { return }
    client.get(["user", "subscription"]) { [weak self] result in
      self?.read(\.subscription, result) { Subscription($0) }
    }
    if polls % Self.agentsEvery == 1 {
      client.get(["convai", "agents"], query: [.init("page_size", "100")]) { [weak self] result in
        self?.read(\.agents, result) { ServiceAgent.list($0) }
      }
    }
  }

  private func read<Value>(
    _ part: WritableKeyPath<ServicePicture, ServicePicture.Read<Value>>,
    _ result: Result<JSONValue, ServiceClient.Problem>, _ make: (JSONValue) -> Value?
  ) {
    picture[keyPath: part].take(
      result.flatMap { value in make(value).map { .success($0) } ?? .failure(.unreadable) },
      atMs: clock.wallMs)
    publishSoon()
  }

  private func take(conversations result: Result<JSONValue, ServiceClient.Problem>) {
    var problem: ServiceClient.Problem?
    switch result {
    case .success(let value):
      lastHeardNs = clock.nowNs
      read(\.conversations, result) { ConversationPage($0) }
      if let page = ConversationPage(value) { take(page) } else { problem = .unreadable }
    case .failure(.refused(let refusal)) where !client.hasKey && refusal.isKeyRefused:
      // Without a key the refusal shows that the service is there.
      lastHeardNs = clock.nowNs
    case .failure(let failure):
      problem = failure
      read(\.conversations, result) { ConversationPage($0) }
    }
    if case .refused(let refusal)? = problem {
      isRefused = refusal.isKeyRefused
    } else {
      isRefused = false
    }
    if problem == nil { hasAnswer = true }
    var due: UInt64?
    // A refused key is refused again: the user retries.
    pollTimer?.cancel()
    if !isRefused {
      let wait = schedule.next(problem == nil ? .answered : .failed)
      pollTimer = clock.schedule(afterNs: wait) { [weak self] in self?.poll() }
      due = problem == nil ? nil : clock.nowNs + wait
    }
    let isStopped = isRefused
    say {
      if problem == nil, $0.overall != .live { $0.returns += 1 }
      if problem == nil, $0.failure != nil { $0.reconnects += 1 }
      $0.overall = problem == nil ? .live : isStopped ? .stopped : .reconnecting
      $0.failure = problem.map { .stated($0.sentence) }
      $0.retryAtNs = due
    }
    publishSoon()
  }

  private func take(_ page: ConversationPage) {
    let isFirst = polls <= 1
    let (rows, areNews) = history.take(page)
    if areNews {
      give(rows)
    } else {
      give(earlier: rows)
    }
    if isFirst { sink?.receive(.proven(RowClaim(fromMs: clock.wallMs)), at: ReceiveTime(clock)) }
  }

  private func wait(_ outcome: PollSchedule.Outcome) {
    let pause = schedule.next(outcome)
    pollTimer = clock.schedule(afterNs: pause) { [weak self] in self?.poll() }
  }

  // MARK: Rows and status

  private func hear(_ notice: ConversationNotice) {
    if let id = live.talk.metadata?.conversationID { history.own(id) }
    if case .settled(let approval, let words) = notice {
      over.append((approval.call.id, words, clock.wallMs))
      if over.count > 20 { over.removeFirst() }
    }
    give(
      feed.take(
        notice, live.talk, agent: picture.name(of: live.talk.agent), nowMs: clock.wallMs))
    if case .audio = notice { return }
    // The list has it now, and a lost connection may be the service's end.
    if case .phase = notice, case .over = live.talk.phase, known.overall == .live { poll() }
    publishSoon()
  }

  private func give(_ rows: [LiveRow]) {
    for row in rows {
      row.json.withUnsafeBytes {
        sink?.receive(.row($0, from: .activity), at: ReceiveTime(clock))
      }
    }
  }

  /// Rows from before now: none of them is news.
  private func give(earlier rows: [LiveRow]) {
    guard !rows.isEmpty else { return }
    var json: [UInt8] = [UInt8(ascii: "[")]
    for row in rows {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json += row.json
    }
    json.append(UInt8(ascii: "]"))
    json.withUnsafeBytes {
      _ = sink?.ingest(RowBatch($0, source: .history), at: ReceiveTime(clock))
    }
  }

  private func say(_ change: (inout SourceStatus) -> Void) {
    let before = known
    var changed = known
    change(&changed)
    known = changed
    known.copyState(to: .service)
    guard known != before else { return }
    sink?.receive(.status(status), at: ReceiveTime(clock))
  }

  // MARK: Documents

  /// Frames come many a second; the documents follow within 100 ms.
  private func publishSoon() {
    guard documentTimer == nil, sink != nil else { return }
    documentTimer = clock.schedule(afterNs: 100_000_000) { [weak self] in
      self?.documentTimer = nil
      self?.publish()
    }
  }

  private func publish() {
    let time = ReceiveTime(clock)
    // Before the first answer nothing is known of the service.
    let control = controlDocument
    if hasAnswer || live.talk.phase != .idle, control != lastControl {
      lastControl = control
      control.withUnsafeBytes { sink?.receive(.document(.control, $0), at: time) }
    }
    let board = ServiceBoardWriter(
      live: live, picture: picture, hasKey: client.hasKey, wallMs: clock.wallMs,
      nowNs: clock.nowNs
    ).bytes
    guard board != lastBoard else { return }
    lastBoard = board
    board.withUnsafeBytes { sink?.receive(.document(.service, $0), at: time) }
  }

  static func fingerprint(_ approval: McpApproval) -> String {
    String(Digest.hexadecimal(Digest.sha256(Array(approval.shownText.utf8))).prefix(16))
  }
}
