import Foundation

/// Everything that the demo's account knows. Owned by the engine, which is an actor.
final class ElevenLabsWorld {
  static let conversationPath = "/v1/convai/conversation"
  /// A signed address opens one conversation within 15 minutes.
  static let signatureMs: Int64 = 15 * 60_000

  /// What the address of a socket was good for.
  enum Admission: Sendable {
    case agent(Cast.ElevenLabs.Agent)
    case refused(String)
  }

  /// A conversation that is over, or one that others hold.
  struct Past {
    var id: String
    var agent: Cast.ElevenLabs.Agent
    var startMs: Int64
    var seconds: Int
    var status: String
    var isGood: Bool
    var ending: String
    var turns: [(role: String, text: String, at: Int)]
    var tools: [String]
  }

  private struct Signature {
    var text: String
    var agent: String
    var untilMs: Int64
  }

  let options: ElevenLabsOptions
  let key: String
  let port: UInt16
  private(set) var now: Int64
  private(set) var queue = EventQueue<ElevenLabsWorld>()
  var random: DemoRandom
  var talks: [ElevenLabsTalk] = []
  var past: [Past] = []
  var usedCharacters = 0
  private var signatures: [Signature] = []
  private var counter = 0
  private(set) var truth = StoryTruth()

  init(options: ElevenLabsOptions, key: String, port: UInt16) {
    self.options = options
    self.key = key
    self.port = port
    now = options.clock.nowMs
    random = DemoRandom(seed: options.seed &+ 77)
  }

  // MARK: Time

  func after(_ ms: Int, _ run: @escaping (ElevenLabsWorld) -> Void) {
    queue.add(at: now + Int64(max(0, ms)), run)
  }

  /// Plans something in `ms` milliseconds of the story.
  func paced(_ ms: Int, _ run: @escaping (ElevenLabsWorld) -> Void) {
    after(max(1, Int(Double(ms) / options.rate)), run)
  }

  func run(until time: Int64) {
    if let due = queue.nextDue, time - due > 5_000, options.clock is SystemDemoClock {
      queue.shift(by: time - due)
    }
    while let entry = queue.pop(dueBy: time) {
      now = max(now, entry.due)
      entry.run(self)
    }
    now = max(now, time)
  }

  func begin() {
    guard options.scenario != .empty else { return }
    for index in 0..<5 {
      let ages = [27, 63, 140, 1_500, 2_900]
      past.append(other(index, startMs: now - Int64(ages[index]) * 60_000))
    }
    if options.scenario == .story { paced(40_000) { $0.somebodyTalks(5) } }
  }

  /// Conversations of others, one after the other.
  private func somebodyTalks(_ index: Int) {
    var talk = other(index, startMs: now)
    talk.status = "in-progress"
    past.insert(talk, at: 0)
    if past.count > 200 { past.removeLast() }
    note("other_started", ["id": .string(talk.id)])
    let id = talk.id
    paced(25_000) { world in
      guard let place = world.past.firstIndex(where: { $0.id == id }) else { return }
      world.past[place].status = world.past[place].isGood ? "done" : "failed"
      world.usedCharacters += 320
      world.note("other_ended", ["id": .string(id)])
    }
    paced(65_000) { $0.somebodyTalks(index + 1) }
  }

  private func other(_ index: Int, startMs: Int64) -> Past {
    let said = Cast.ElevenLabs.past[index % Cast.ElevenLabs.past.count]
    let agent = index % 2 == 0 ? Cast.ElevenLabs.juniper : Cast.ElevenLabs.linden
    return Past(
      id: nextConversation(), agent: agent, startMs: startMs, seconds: 41 + index % 5 * 13,
      status: said.isGood ? "done" : "failed", isGood: said.isGood,
      ending: said.isGood ? "Client ended the conversation" : "Agent could not help",
      turns: [
        ("agent", Cast.ElevenLabs.greeting, 0), ("user", said.user, 4), ("agent", said.agent, 7),
      ],
      tools: said.tool.map { [$0] } ?? [])
  }

  func nextConversation() -> String {
    counter += 1
    return "conv_demo_\(counter)"
  }

  // MARK: Addresses

  /// A new address for a private agent.
  func sign(_ agent: String) -> String {
    let text = "cvsig_" + (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
    signatures.append(Signature(text: text, agent: agent, untilMs: now + Self.signatureMs))
    if signatures.count > 1_000 { signatures.removeFirst() }
    note("signed", ["agent": .string(agent)])
    return "ws://127.0.0.1:\(port)\(Self.conversationPath)?agent_id=\(agent)"
      + "&conversation_signature=\(text)"
  }

  func admit(_ request: HTTPRequest) -> Admission {
    let offered = request.headers["sec-websocket-extensions"] ?? ""
    note(
      "socket",
      [
        "agent": .string(request.query("agent_id") ?? ""),
        "offers_deflate": .bool(offered.contains("permessage-deflate")),
        "has_key": .bool(request.headers["xi-api-key"] != nil),
        "has_signature": .bool(request.query("conversation_signature") != nil),
        "has_origin": .bool(request.headers["origin"] != nil),
      ])
    guard let agent = request.query("agent_id").flatMap(Cast.ElevenLabs.agent) else {
      return .refused("The agent does not exist.")
    }
    if let text = request.query("conversation_signature") {
      let place = signatures.firstIndex { $0.text == text && $0.agent == agent.id }
      guard let place, signatures[place].untilMs >= now else {
        return .refused("Invalid or expired signed URL")
      }
      signatures.remove(at: place)
      return .agent(agent)
    }
    return agent.isPrivate
      ? .refused("This agent requires authentication with a signed URL.") : .agent(agent)
  }

  // MARK: Truth

  func note(_ what: String, _ more: DemoJSON = [:]) { truth.add(now, what, more) }

  /// What really happened. It holds no key and no signature.
  var truthFile: [UInt8] { truth.file(["kind": "elevenlabs", "to": .int(Int(now))]) }
}
