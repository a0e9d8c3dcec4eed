internal import CockpitChat
internal import LenientJSON
internal import Networking
internal import OpenClawWire

/// One answer over the WebSocket of a gateway: its run, through lost connections.
@MainActor
final class GatewayAnswer: ChatAnswer {
  enum Heard {
    case chat(OpenClawWire.ChatEvent)
    case agent(AgentEvent)
  }

  /// An aborted run says so within this time, ns.
  private static let abortNs = Nanoseconds.seconds(10)
  /// So long is the gateway waited for, ns.
  private static let awayNs = Nanoseconds.seconds(600)
  /// A gateway remembers keys for 5 minutes (OPENCLAW.md, 15): a message is not sent again later than this, ns.
  private static let resendNs = Nanoseconds.seconds(240)
  /// A run of protocol 3 without an event after a reconnect counts as over after this time, ns.
  private static let silentRunNs = Nanoseconds.seconds(120)
  /// How many messages of the history are read, and how many events are buffered until it arrives.
  private static let historyLimit = 50
  private static let maximumHeld = 5_000
  private static let maximumRetries = 20

  let turn: ChatTurn
  private let chat: GatewayChat
  private let tell: @MainActor (CockpitChat.ChatEvent) -> Void
  private var decoder: RunDecoder
  private var timer: (any LinkTimer)?
  private var sentNs: UInt64 = 0
  /// The gateway has said that it has the message.
  private var isTaken = false
  /// Events are kept until the history is here.
  private var held: [Heard]?
  private var retries = 0
  private var isAway = false
  private var wantsAbort = false
  private var hasReplacement = false
  /// One counts for each connection: answers of an earlier one change nothing.
  private var round = 0

  init(
    _ turn: ChatTurn, of chat: GatewayChat,
    tell: @escaping @MainActor (CockpitChat.ChatEvent) -> Void
  ) {
    self.turn = turn
    self.chat = chat
    self.tell = tell
    decoder = RunDecoder(runId: turn.idempotencyKey)
  }

  var runId: String { decoder.runId }
  private var port: (any GatewayPort)? { chat.port }
  private var isLive: Bool { port?.isLive ?? false }
  private var nowNs: UInt64 { chat.clock.nowNs }

  func start() {
    wait(0) { [weak self] in
      guard let self else { return }
      if let problem { say(decoder.end(.failed(problem), nowNs: nowNs)) } else { send() }
    }
  }

  /// Another answer listens to the run from now on.
  func give(way other: GatewayAnswer) {
    hasReplacement = true
    wait(0) { [weak self] in
      guard let self else { return }
      say(decoder.end(.aborted, nowNs: nowNs))
    }
  }

  /// Why the message cannot be sent.
  private var problem: ChatFailure? {
    guard turn.history == .server else {
      return ChatFailure(
        .unsupported,
        "Over the WebSocket the gateway keeps the history itself; choose its history, or HTTP.")
    }
    guard isLive, let port, let hello = port.greeting else {
      return ChatFailure(
        .connection, "There is no connection to the gateway now; send the message again later.")
    }
    guard port.holds("operator.write") else {
      return ChatFailure(
        .authentication,
        "Messages need the scope operator.write, which this device does not hold; set scopes = \"operate\" in the profile, and approve it on the gateway."
      )
    }
    let images = turn.message.images
    let most = min(hello.maximumAttachments ?? ChatImage.maxTotalBytes, hello.maximumPayload)
    if let problem = ChatImage.problem(
      images, maxBytes: hello.maximumImage ?? ChatImage.maxBytes, maxTotalBytes: most)
    {
      return problem
    }
    let size = images.reduce(turn.message.text.utf8.count) { $0 + ($1.bytes.count + 2) / 3 * 4 }
    guard size + 4_096 <= hello.maximumPayload else {
      return ChatFailure(
        .request, "The message is larger than the gateway takes; send less text or fewer images.")
    }
    return nil
  }

  private func send() {
    if sentNs == 0 { sentNs = nowNs }
    let own = round
    let images = turn.message.images.map {
      GatewayRequest.Attachment(
        mimeType: $0.mimeType, fileName: $0.name, content: Base64.encoded($0.bytes))
    }
    port?.send(
      .sendMessage(
        sessionKey: turn.sessionKey, text: turn.message.text, key: turn.idempotencyKey,
        images: images)
    ) { [weak self] result in
      guard let self, !decoder.isOver else { return }
      switch result {
      case .success:
        isTaken = true
        say(decoder.start())
      case .failure(.refused(let error)) where error.code == "UNAVAILABLE" && error.isRetryable:
        retrySending(afterMs: error.retryAfterMs ?? 1_000)
      case .failure(.refused(let error)):
        say(decoder.end(.failed(ChatFailure(.refused(error))), nowNs: nowNs))
      // What came of it shows after the next greeting.
      case .failure: if own == round, isLive { recover() }
      }
    }
  }

  private func retrySending(afterMs ms: Int) {
    retries += 1
    guard retries <= Self.maximumRetries else {
      let failure = ChatFailure(
        .connection, "The gateway is busy or starting; send the message again in a moment.")
      return say(decoder.end(.failed(failure), nowNs: nowNs))
    }
    let own = round
    wait(Nanoseconds.milliseconds(UInt64(min(max(ms, 100), 30_000)))) { [weak self] in
      guard let self, own == round, isLive else { return }
      send()
    }
  }

  // MARK: Cancel

  func cancel() {
    guard !decoder.isOver, !wantsAbort else { return }
    wantsAbort = true
    guard isLive else {
      // The run is stopped when the gateway is back; it has no further events.
      return wait(0) { [weak self] in
        guard let self else { return }
        say(decoder.end(.aborted, nowNs: nowNs), keeps: true)
      }
    }
    abort()
  }

  private func abort() {
    port?.send(.abortRun(sessionKey: turn.sessionKey, runId: runId)) { [weak self] result in
      guard let self, !decoder.isOver else { return }
      guard case .failure(.refused(let error)) = result else { return }
      say(decoder.end(.failed(ChatFailure(.refused(error))), nowNs: nowNs))
    }
    wait(Self.abortNs) { [weak self] in
      guard let self else { return }
      say(decoder.end(.aborted, nowNs: nowNs))
    }
  }

  // MARK: Hearing

  func hear(_ heard: Heard) {
    guard !decoder.isOver else { return }
    isTaken = true
    if let count = held?.count {
      if count < Self.maximumHeld { held?.append(heard) }
      return
    }
    take(heard)
  }

  private func take(_ heard: Heard) {
    switch heard {
    case .chat(let event): say(decoder.take(event, nowNs: nowNs))
    case .agent(let event): say(decoder.take(event, nowNs: nowNs))
    }
    guard !decoder.isOver, !wantsAbort else { return }
    guard let grace = decoder.graceMs else { return timer?.cancel() ?? () }
    wait(Nanoseconds.milliseconds(grace)) { [weak self] in
      guard let self else { return }
      say(decoder.graceIsOver(nowNs: nowNs))
    }
  }

  /// - Parameter keeps: the run has still to be stopped.
  private func say(_ events: [CockpitChat.ChatEvent], keeps: Bool = false) {
    for event in events { tell(event) }
    guard decoder.isOver, !keeps else { return }
    timer?.cancel()
    timer = nil
    held = nil
    if !hasReplacement { chat.over(self) }
  }

  private func wait(_ ns: UInt64, _ body: @escaping @MainActor () -> Void) {
    timer?.cancel()
    timer = chat.clock.schedule(afterNs: ns, body)
  }
}

// MARK: Lost connections

extension GatewayAnswer {
  func lost() {
    round += 1
    isAway = true
    held = nil
    guard !decoder.isOver else { return }
    wait(Self.awayNs) { [weak self] in
      self?.closed("The gateway has been out of reach for 10 minutes.")
    }
  }

  func closed(_ why: String) {
    guard !decoder.isOver else { return chat.over(self) }
    let failure = ChatFailure(
      .connection,
      "\(why) What has arrived of the answer is kept; look at the session when the gateway is back."
    )
    say(decoder.end(.failed(failure), nowNs: nowNs))
  }

  /// Asks for what was missed: the run goes on, or has ended, or the message never arrived.
  func recover() {
    round += 1
    isAway = false
    timer?.cancel()
    guard !decoder.isOver else {
      port?.send(.abortRun(sessionKey: turn.sessionKey, runId: runId)) { _ in }
      return chat.over(self)
    }
    held = held ?? []
    retries = 0
    askHistory(round)
  }

  private func askHistory(_ own: Int) {
    port?.send(.history(sessionKey: turn.sessionKey, limit: Self.historyLimit)) {
      [weak self] result in
      guard let self, own == round, !decoder.isOver else { return }
      switch result {
      case .success(let history): read(history)
      case .failure(let failure) where failure.isForNow && retries < Self.maximumRetries:
        guard isLive else { return }
        retries += 1
        var ms = 250
        if case .refused(let error) = failure { ms = error.retryAfterMs ?? ms }
        wait(Nanoseconds.milliseconds(UInt64(min(max(ms, 100), 30_000)))) { [weak self] in
          guard let self, own == round else { return }
          askHistory(own)
        }
      case .failure(let failure):
        let why = ChatFailure(
          .connection,
          "What became of the answer is not known: \(failure) What has arrived is kept.")
        say(decoder.end(.failed(why), nowNs: nowNs))
      }
    }
  }

  private func read(_ history: JSONValue) {
    let kept = held ?? []
    held = nil
    if let run = history["inFlightRun"], run["runId"]?.string == runId {
      isTaken = true
      say(decoder.adopt(run["text"]?.string ?? decoder.text.text))
      for heard in kept where !decoder.isOver { take(heard) }
      if wantsAbort, !decoder.isOver { abort() }
      return
    }
    // Its end may have come between the greeting and the history.
    for heard in kept where !decoder.isOver { take(heard) }
    guard !decoder.isOver, kept.isEmpty else { return }
    let past = RunInHistory(turn.message.text, in: history)
    guard isTaken || past.isThere else { return sendAgain() }
    if past.answer == nil, (port?.greeting?.protocolVersion ?? 4) < 4 {
      // Protocol 3 does not say whether the run goes on. If it does, its texts are cumulative: none is lost.
      return wait(Self.silentRunNs) { [weak self] in
        guard let self else { return }
        say(decoder.close(nil, isWhole: false, usage: nil, model: nil, nowNs: nowNs))
      }
    }
    say(
      decoder.close(
        past.answer, isWhole: past.isWhole, usage: past.usage, model: past.model, nowNs: nowNs))
  }

  /// The gateway has nothing of the message.
  private func sendAgain() {
    guard !wantsAbort else { return say(decoder.end(.aborted, nowNs: nowNs)) }
    guard nowNs.since(sentNs) < Self.resendNs else {
      let failure = ChatFailure(
        .connection, "The gateway did not get the message; send it again.")
      return say(decoder.end(.failed(failure), nowNs: nowNs))
    }
    send()
  }
}

/// What the history of a session has of a message and its answer.
private struct RunInHistory {
  var isThere = false
  var answer: String?
  /// The answer ended by itself.
  var isWhole = false
  var usage: JSONValue?
  var model: String?

  init(_ text: String, in history: JSONValue) {
    let messages = history["messages"]?.array ?? []
    guard
      let place = messages.lastIndex(where: { message in
        // Protocol 3 writes who sent it in front.
        message["role"]?.string == "user"
          && MessageText(message).map { $0.text.hasSuffix(text) } == true
      })
    else { return }
    isThere = true
    let answers = messages[(place + 1)...].prefix { $0["role"]?.string != "user" }
      .filter { $0["role"]?.string == "assistant" }
    guard let last = answers.last else { return }
    answer = answers.compactMap { MessageText($0)?.text }.last { !$0.isEmpty }
    let reason = last["stopReason"]?.string
    isWhole = reason == nil || ["stop", "end_turn", "endTurn"].contains(reason)
    usage = last["usage"]
    model = last["model"]?.string
  }
}
