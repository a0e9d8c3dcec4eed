package import ElevenLabsWire
internal import Networking

/// One conversation after the other with agents: a pure machine without clock and socket.
///
/// idle → connecting → active → ended → connecting …; at most one is live.
package struct Conversation: Sendable {
  package enum Phase: Sendable, Equatable {
    case idle
    /// The address, the connection or the server's first message is awaited.
    case connecting
    case active
    /// The server crashed before anything was said: one attempt follows at this time.
    case retrying(atNs: UInt64)
    case over(ConversationEnd)

    /// One word for the screen.
    package var word: String {
      switch self {
      case .idle: "idle"
      case .connecting, .retrying: "connecting"
      case .active: "active"
      case .over(let end): end.isError ? "error" : "ended"
      }
    }

    package var isLive: Bool {
      switch self {
      case .connecting, .active, .retrying: true
      case .idle, .over: false
      }
    }
  }

  /// What every conversation begins with.
  package struct Setup: Sendable, Equatable {
    package var overrides: Initiation.Overrides
    package var variables: [String: String]
    package var userID: String?
    package var version: String
    /// Audio in both directions.
    package var wantsAudio: Bool
    /// The client tools that the owner has configured; all others are unknown.
    package var tools: Set<String>

    package init(
      overrides: Initiation.Overrides = .init(), variables: [String: String] = [:],
      userID: String? = nil, version: String, wantsAudio: Bool = false, tools: Set<String> = []
    ) {
      self.overrides = overrides
      self.variables = variables
      self.userID = userID
      self.version = version
      self.wantsAudio = wantsAudio
      self.tools = tools
    }
  }

  /// The server's first message comes within this time.
  static let metadataNs = Nanoseconds.seconds(15)
  static let retryNs = Nanoseconds.seconds(5)
  /// A transcript that equals a line of this age or younger is that line.
  static let echoNs = Nanoseconds.seconds(10)
  static let activityNs = Nanoseconds.seconds(1)
  /// A message waits this long for the agent's greeting to begin, and `greetingNs` for its end.
  static let quietNs = Nanoseconds.milliseconds(1_500)
  static let greetingNs = Nanoseconds.seconds(10)
  /// How long an approval without an answer stays after its time.
  static let graceNs = Nanoseconds.seconds(2)
  static let maximumLines = 500
  static let maximumTools = 200
  static let maximumApprovals = 50
  static let maximumCalls = 1_000
  static let maximumReasoning = 64 << 10

  package var setup: Setup
  package internal(set) var phase = Phase.idle
  package internal(set) var owner = ""
  package internal(set) var agent = ""
  package internal(set) var metadata: ConversationMetadata?
  package internal(set) var lines: [ConversationLine] = []
  /// What the user seems to be saying.
  package internal(set) var tentative: String?
  package internal(set) var reasoning = ""
  package internal(set) var tools: [ConversationTool] = []
  package internal(set) var approvals: [McpApproval] = []
  package internal(set) var integrations: [McpIntegration] = []
  package internal(set) var context: ContextUsage?
  /// 0 to 1; nil while the server measures nothing.
  package internal(set) var voiceActivity: Double?
  package internal(set) var latencyMs: Int?
  package internal(set) var isTyping = false
  package internal(set) var isMuted = false
  /// Runs without the overrides of the profile, because the agent allows none.
  package internal(set) var isWithoutOverrides = false
  package internal(set) var startedNs: UInt64 = 0
  package internal(set) var activeNs: UInt64 = 0
  package internal(set) var endedNs: UInt64 = 0
  /// Frames of an unknown type, and messages that could not be read, since the program started.
  package internal(set) var unknownFrames = 0

  var error: ConversationError?
  var hasRetried = false
  var hasSaid = false
  var reasoningID: EventID?
  var lineCount = 0
  var lastActivityNs: UInt64?
  /// Speech up to this event is not played.
  var droppedThrough: Int?
  /// Until when the speech that has arrived takes to play.
  var speechUntilNs: UInt64 = 0
  /// Calls of client tools that wait for a result, and those that have one.
  var openCalls: Set<String> = []
  var answeredCalls: Set<String> = []

  package init(_ setup: Setup) { self.setup = setup }

  package enum Mode: String, Sendable { case listening, speaking }

  /// What the agent does; nil unless the conversation is active.
  package func mode(nowNs: UInt64) -> Mode? {
    guard phase == .active else { return nil }
    let isWriting = lines.last { $0.speaker == .agent }.map { !$0.isWhole && !$0.isInterrupted }
    return isWriting ?? false || isTyping || nowNs < speechUntilNs ? .speaking : .listening
  }

  /// When `woke` is due, monotonic; nil for never.
  package var wakeNs: UInt64? {
    var times: [UInt64] = []
    switch phase {
    case .connecting: times.append(startedNs + Self.metadataNs)
    case .retrying(let at): times.append(at)
    case .active:
      if lines.contains(where: \.isQueued) { times.append(sendNs) }
    case .idle, .over: break
    }
    times += approvals.compactMap { $0.expiresNs.map { $0 + Self.graceNs } }
    return times.min()
  }

  /// Until when a message waits for the greeting.
  private var sendNs: UInt64 {
    guard let first = lines.last(where: { $0.atNs >= activeNs && $0.speaker == .agent }) else {
      return activeNs + Self.quietNs
    }
    return first.isWhole ? activeNs : activeNs + Self.greetingNs
  }

  // MARK: Inputs

  package mutating func take(
    _ input: ConversationInput, nowNs: UInt64
  ) -> [ConversationCommand] {
    switch input {
    case .start(let owner, let agent, let replaces):
      return start(owner, agent, replaces: replaces, nowNs)
    case .addressed:
      return phase == .connecting ? [.connect] : []
    case .unaddressed(let refusal):
      guard phase == .connecting else { return [] }
      return finish(
        refusal.isKeyRefused || refusal.status == 404
          ? .blocked(refusal.sentence) : .failed(refusal.sentence), nowNs)
    case .unreachable(let sentence):
      return phase == .connecting ? finish(.failed(sentence), nowNs) : []
    case .opened:
      guard phase == .connecting else { return [] }
      return [.send(.initiation(initiation))]
    case .frame(let frame): return phase.isLive ? hear(frame, nowNs) + flush(nowNs) : []
    case .unreadable:
      unknownFrames += 1
      return []
    case .closed(let code, let reason):
      guard phase == .connecting || phase == .active else { return [] }
      return closed(ConversationEnd(code: code, reason: reason, error: error), nowNs)
    case .woke: return woke(nowNs)
    case .say(let text): return say(text, nowNs)
    case .typing:
      guard phase == .active,
        nowNs.since(lastActivityNs ?? 0) >= Self.activityNs
          || lastActivityNs == nil
      else { return [] }
      lastActivityNs = nowNs
      return [.send(.activity)]
    case .contextualUpdate(let text, let id):
      return phase == .active ? [.send(.contextualUpdate(text, id: id))] : []
    case .feedback(let id, let score):
      return phase == .active ? [.send(.feedback(id, score))] : []
    case .toolResult(let call, let result, let isError):
      return answer(call, result, isError: isError, nowNs)
    case .decide(let call, let isApproved): return decide(call, isApproved)
    case .mute(let isMuted):
      self.isMuted = isMuted
      return [.tell(.figures)] + (isMuted ? [.tell(.interrupted(nil))] : [])
    case .audio(let bytes):
      guard phase == .active, setup.wantsAudio, !bytes.isEmpty else { return [] }
      return [.send(.audio(bytes))]
    case .end:
      guard phase.isLive else { return [] }
      return [.close(code: 1_000, reason: "User ended conversation")]
        + finish(.ended(reason: nil), nowNs)
    }
  }

  private var initiation: Initiation {
    Initiation(
      overrides: isWithoutOverrides ? nil : setup.overrides,
      wantsAudio: setup.wantsAudio, variables: setup.variables, userID: setup.userID,
      version: setup.version)
  }

  private mutating func start(
    _ owner: String, _ agent: String, replaces: Bool, _ nowNs: UInt64
  ) -> [ConversationCommand] {
    var commands: [ConversationCommand] = []
    if phase.isLive {
      guard owner != self.owner || agent != self.agent else { return [] }
      guard replaces else { return [.tell(.busy(owner: self.owner))] }
      commands += take(.end, nowNs: nowNs)
    }
    self.owner = owner
    self.agent = agent
    lines = []
    tools = []
    isWithoutOverrides = false
    hasRetried = false
    return commands + begin(nowNs)
  }

  /// The first attempt, the one without overrides, the one after a crash.
  private mutating func begin(_ nowNs: UInt64) -> [ConversationCommand] {
    phase = .connecting
    startedNs = nowNs
    metadata = nil
    error = nil
    hasSaid = false
    tentative = nil
    reasoning = ""
    reasoningID = nil
    integrations = []
    context = nil
    voiceActivity = nil
    latencyMs = nil
    isTyping = false
    droppedThrough = nil
    speechUntilNs = 0
    openCalls = []
    answeredCalls = []
    lastActivityNs = nil
    return [.tell(.phase), .fetchAddress(agent: agent)]
  }

  private mutating func closed(
    _ end: ConversationEnd, _ nowNs: UInt64
  ) -> [ConversationCommand] {
    switch end {
    case .overridesRefused(let sentence) where !isWithoutOverrides:
      isWithoutOverrides = true
      return [.tell(.remark(sentence))] + begin(nowNs)
    case .crashed(let sentence) where !hasRetried && !hasSaid:
      hasRetried = true
      phase = .retrying(atNs: nowNs + Self.retryNs)
      return [.tell(.remark(sentence + " It is tried once more in 5 s.")), .tell(.phase)]
    default: return finish(end, nowNs)
    }
  }

  /// The conversation is over; its transcript stays.
  private mutating func finish(
    _ end: ConversationEnd, _ nowNs: UInt64
  ) -> [ConversationCommand] {
    phase = .over(end)
    endedNs = nowNs
    isTyping = false
    voiceActivity = nil
    tentative = nil
    speechUntilNs = 0
    openCalls = []
    var commands: [ConversationCommand] = []
    for index in lines.indices where !lines[index].isWhole || lines[index].isQueued {
      lines[index].isWhole = true
      // What was not sent is not said: its sender hears of the end.
      lines[index].isQueued = false
      commands.append(.tell(.line(lines[index])))
    }
    for index in tools.indices where tools[index].endedNs == nil {
      tools[index].state = .unknown
      tools[index].endedNs = nowNs
      commands.append(.tell(.tool(tools[index])))
    }
    for approval in approvals {
      commands.append(.tell(.settled(approval, "the conversation ended")))
    }
    approvals = []
    return commands + [.tell(.interrupted(nil)), .tell(.phase)]
  }

  private mutating func woke(_ nowNs: UInt64) -> [ConversationCommand] {
    var commands: [ConversationCommand] = []
    for approval in approvals where approval.expiresNs.map({ $0 + Self.graceNs <= nowNs }) ?? false
    {
      approvals.removeAll { $0.call.id == approval.call.id }
      commands.append(.tell(.settled(approval, approval.isAnswered ? "answered" : "expired")))
      commands += change(tool: approval.call.id, to: .failed, "no answer in time", nowNs)
    }
    switch phase {
    case .connecting where nowNs >= startedNs + Self.metadataNs:
      commands.append(.close(code: 1_000, reason: ""))
      commands += finish(
        .failed("The server did not begin the conversation within 15 s. Start it again."), nowNs)
    case .retrying(let at) where nowNs >= at: commands += begin(nowNs)
    default: commands += flush(nowNs)
    }
    return commands
  }

  // MARK: The owner

  private mutating func say(_ text: String, _ nowNs: UInt64) -> [ConversationCommand] {
    guard phase.isLive, !text.isEmpty else { return [] }
    var line = newLine(.user, text, nil, nowNs)
    line.isWhole = true
    line.isQueued = true
    append(line)
    return [.tell(.line(line))] + flush(nowNs)
  }

  /// Sends what waited for the greeting.
  mutating func flush(_ nowNs: UInt64) -> [ConversationCommand] {
    guard phase == .active, hasSaid || nowNs >= sendNs else { return [] }
    var commands: [ConversationCommand] = []
    let waiting = lines.filter(\.isQueued)
    // They are said after the greeting.
    lines.removeAll(where: \.isQueued)
    for var line in waiting {
      line.isQueued = false
      line.atNs = nowNs
      lines.append(line)
      hasSaid = true
      commands.append(.send(.message(line.text)))
      commands.append(.tell(.line(line)))
    }
    return commands
  }

  private mutating func decide(_ call: String, _ isApproved: Bool) -> [ConversationCommand] {
    guard phase == .active,
      let place = approvals.firstIndex(where: { $0.call.id == call && !$0.isAnswered })
    else { return [] }
    approvals[place].isAnswered = true
    return [.send(.approval(call: call, isApproved: isApproved))]
  }
}
