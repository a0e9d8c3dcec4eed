import Foundation

/// A disturbance on request.
package enum GatewayFault: Sendable, Equatable {
  /// The next live run loses every connection in the middle of a word.
  case dropInRun
  /// Every connection ends without a close.
  case dropConnections
  /// Every connection ends after so many more frames.
  case dropAfter(frames: Int)
  /// So many events are counted and never sent.
  case loseEvents(Int)
  /// So many events come twice.
  case duplicateEvents(Int)
  /// Answers are late by so many ms; 0 ends it.
  case lateAnswers(ms: Int)
  /// Events go on, ticks do not.
  case noTicks
  /// The present connections hear nothing any more.
  case silence
  /// The gateway reads nothing of the present connections for so many ms.
  case slowReader(ms: Int)
  /// Every client is given up as too slow.
  case slowConsumer
  /// Hostile text in every string that people read.
  case hostile
  /// An event with so many bytes.
  case bigFrame(bytes: Int)
  /// The next frame ends in its middle, and the connection with it.
  case halfFrame
  /// The next frame is no UTF-8.
  case badText
  /// The challenge comes in the same segment as the answer to the upgrade.
  case gluedChallenge
  /// The next `chat.history` is answered with "rebuilding".
  case rebuildingHistory
  /// The next answer over HTTP is refused with this status; with 429, after so many seconds it may be asked again.
  case refuseChat(status: Int, retryAfter: Int)
  /// The next answer over HTTP ends in the middle, after so many bytes of text.
  case cutChat(bytes: Int)
  /// `chat`, `responses` or both are answered with 404, as where they are switched off.
  case chatOff(String)
  /// Connects are refused as too many.
  case rateLimit
  /// Another operator answers each approval at once.
  case otherAnswersFirst
  /// An agent asks to run a command, and waits so long; perhaps in a run that is not shown to everybody.
  case ask(command: String, lifeMs: Int, decisions: [String], isElsewhere: Bool)
  /// Each command that waits becomes another one, under the same id.
  case swapCommands
  /// An unknown device requests pairing.
  case stranger
  /// What `openclaw devices approve` (or `reject`) does on the gateway: all that wait, or one.
  case pairing(approves: Bool, request: String?)
  /// An agent asks the connected nodes to carry out a command.
  case invoke(command: String, params: DemoJSON, key: String?)
  /// Shutdown, 1012, and "starting" for a while.
  case restart
  /// Ends every lasting disturbance.
  case clear

  /// What the scenario `faults` goes through.
  static let tour: [GatewayFault] = [
    .dropInRun, .loseEvents(4), .duplicateEvents(6), .lateAnswers(ms: 3000), .lateAnswers(ms: 0),
    .halfFrame, .slowConsumer, .bigFrame(bytes: 25_000_000), .otherAnswersFirst, .restart, .clear,
    .noTicks,
  ]

  /// Nil for an unknown one.
  package init?(_ json: DemoJSON) {
    func number(_ name: String, _ fallback: Int) -> Int {
      Int(json[name]?.doubleValue ?? Double(fallback))
    }
    switch json["fault"]?.stringValue {
    case "dropInRun": self = .dropInRun
    case "dropConnections": self = .dropConnections
    case "dropAfter": self = .dropAfter(frames: number("frames", 10))
    case "loseEvents": self = .loseEvents(number("count", 5))
    case "duplicateEvents": self = .duplicateEvents(number("count", 1))
    case "lateAnswers": self = .lateAnswers(ms: number("ms", 3000))
    case "noTicks": self = .noTicks
    case "silence": self = .silence
    case "slowReader": self = .slowReader(ms: number("ms", 10_000))
    case "slowConsumer": self = .slowConsumer
    case "hostile": self = .hostile
    case "bigFrame": self = .bigFrame(bytes: number("bytes", 25_000_000))
    case "halfFrame": self = .halfFrame
    case "badText": self = .badText
    case "gluedChallenge": self = .gluedChallenge
    case "rebuildingHistory": self = .rebuildingHistory
    case "refuseChat":
      self = .refuseChat(status: number("status", 429), retryAfter: number("retryAfter", 7))
    case "cutChat": self = .cutChat(bytes: number("bytes", 20))
    case "chatOff": self = .chatOff(json["interface"]?.stringValue ?? "both")
    case "rateLimit": self = .rateLimit
    case "otherAnswersFirst": self = .otherAnswersFirst
    case "ask":
      self = .ask(
        command: json["command"]?.stringValue ?? "date", lifeMs: number("ms", 1_800_000),
        decisions: json["decisions"]?.arrayValue?.compactMap(\.stringValue)
          ?? ["allow-once", "allow-always", "deny"],
        isElsewhere: json["elsewhere"]?.boolValue ?? false)
    case "swapCommands": self = .swapCommands
    case "stranger": self = .stranger
    case "pairing":
      self = .pairing(
        approves: json["decision"]?.stringValue != "reject",
        request: json["requestId"]?.stringValue)
    case "invoke":
      self = .invoke(
        command: json["command"]?.stringValue ?? "system.notify", params: json["params"] ?? [:],
        key: json["key"]?.stringValue)
    case "restart": self = .restart
    case "clear": self = .clear
    default: return nil
    }
  }
}

/// Disturbances that last.
struct GatewayFaults {
  var dropsInRun = false
  var answerDelayMs = 0
  var hasNoTicks = false
  var isHostile = false
  var gluesChallenge = false
  var rebuildsHistory = false
  var isRateLimited = false
  var chatRefusal: (status: Int, retryAfter: Int)?
  var chatCut: Int?
  var chatOff: String?
  var answersFirst = false
}

extension GatewayWorld {
  func apply(_ fault: GatewayFault) {
    note("fault", ["fault": .string("\(fault)")])
    switch fault {
    case .dropInRun: faults.dropsInRun = true
    case .dropConnections: dropAll()
    case .dropAfter(let frames): each { $0.faults.framesLeft = max(1, frames) }
    case .loseEvents(let count): each { $0.faults.lostEvents += count }
    case .duplicateEvents(let count): each { $0.faults.duplicates += count }
    case .lateAnswers(let ms): faults.answerDelayMs = max(0, ms)
    case .noTicks: faults.hasNoTicks = true
    case .silence: each { $0.faults.isSilent = true }
    case .slowReader(let ms):
      each { client in
        let link = client.link
        link.isReadingPaused = true
        after(ms) { _ in link.isReadingPaused = false }
      }
    case .slowConsumer: each { $0.close(1008, "slow consumer") }
    case .hostile: faults.isHostile = true
    case .bigFrame(let bytes): sendBig(bytes)
    case .halfFrame: each { $0.faults.halvesNext = true }
    case .badText: each { $0.faults.breaksText = true }
    case .gluedChallenge: faults.gluesChallenge = true
    case .rebuildingHistory: faults.rebuildsHistory = true
    case .refuseChat(let status, let seconds): faults.chatRefusal = (status, seconds)
    case .cutChat(let bytes): faults.chatCut = max(1, bytes)
    case .chatOff(let interface): faults.chatOff = interface
    case .rateLimit: faults.isRateLimited = true
    case .otherAnswersFirst:
      faults.answersFirst = true
      for approval in approvals where approval.isPending {
        resolve(approval, "deny", by: Cast.Gateway.other)
      }
    case .ask(let command, let lifeMs, let decisions, let isElsewhere):
      ask(
        command: command, agent: "heron", session: Cast.Gateway.mainKey("heron"), lifeMs: lifeMs,
        binding: isElsewhere ? .elsewhere : .nobody, allowed: decisions)
    case .swapCommands:
      for approval in approvals where approval.isPending && !approval.isPlugin {
        let command = (approval.request["command"]?.stringValue ?? "") + " --force"
        approval.request = approval.request.setting("command", .string(command))
      }
    case .stranger: strangerAsks(round: number())
    case .pairing(let approves, let wanted):
      for request in pairings where request.isPending && (wanted ?? request.id) == request.id {
        do {
          try decide(pairing: request.id, approves: approves, by: "openclaw devices")
        } catch {
          note("refused", ["why": .string(error.message)])
        }
      }
    case .invoke(let command, let params, let key): invoke(command, params, key: key)
    case .restart: restart()
    case .clear:
      faults = GatewayFaults()
      each {
        $0.faults = ClientFaults()
        $0.link.isReadingPaused = false
      }
    }
  }

  private func each(_ body: (GatewayClient) -> Void) {
    for client in clients where client.isConnected && !client.isClosing { body(client) }
  }

  /// Ends every connection without a close.
  func dropAll() {
    for client in clients {
      client.isClosing = true
      client.link.cut()
    }
  }

  private func sendBig(_ bytes: Int) {
    let text = String(repeating: "large ", count: max(1, bytes / 6))
    add("assistant", [["type": "text", "text": .string(text)]], to: session("agent:heron:large"))
    // Only the event is tested: `chat.history` would repeat the whole text.
    session("agent:heron:large").messages = []
  }
}
