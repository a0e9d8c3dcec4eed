import CockpitDomain
import Foundation
import LenientJSON
import Networking
import Testing

@testable import OpenClawSource

/// Requests, changes, answers of others, expiries, repetitions, lost connections and late decisions in any order.
@MainActor
@Suite struct GatewayScheduleTests {
  /// `CLANKY_LONG_TESTS=1` takes 10,000 schedules.
  private static let schedules =
    ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil ? 300 : 10_000

  /// What the gateway knows of an approval: the model that the source is compared with.
  private struct Asked {
    var command: String
    var offers: [String]
    var isPending = true

    func json(_ id: String) -> String {
      let offers = offers.map { "\"\($0)\"" }.joined(separator: ",")
      return
        #"{"id":"\#(id)","request":{"command":"\#(command)","allowedDecisions":[\#(offers)]},"expiresAtMs":1790009000000}"#
    }
  }

  /// A card as the user has seen it at some time.
  private struct Seen {
    var id: String
    var fingerprint: String
    var subject: String
    var choices: [String]
  }

  @Test("no wrong decision, none on a card that was not the one seen, and one outcome for each")
  func schedules() throws {
    var counts = (sent: 0, refused: 0, done: 0)
    for seed in 0..<Self.schedules { try run(UInt64(seed), &counts) }
    // The schedules reach all of it.
    #expect(counts.sent > Self.schedules && counts.refused > Self.schedules, "\(counts)")
    #expect(counts.done > Self.schedules / 4, "\(counts)")
  }

  private func run(_ seed: UInt64, _ counts: inout (sent: Int, refused: Int, done: Int)) throws {
    var random = Dice(seed)
    let desk = try Desk()
    desk.connect()
    var model: [String: Asked] = [:]
    var seen: [Seen] = []
    var asked = 0
    var outcomes = 0
    var done = 0
    var accepted = 0
    var unanswered: [(id: String, approval: String)] = []
    for step in 0..<40 {
      let id = "ap-\(random.below(4))"
      switch random.below(10) {
      case 0, 1:
        let offers = random.below(2) == 0 ? ["allow-once", "deny"] : ["deny"]
        model[id] = Asked(command: "make \(random.below(3))", offers: offers)
        desk.event("exec.approval.requested", model[id]?.json(id) ?? "")
      case 2:
        guard let known = model[id] else { continue }
        desk.event("exec.approval.requested", known.json(id))
      case 3:
        model[id]?.isPending = false
        desk.event(
          "exec.approval.resolved", #"{"id":"\#(id)","decision":"deny","resolvedBy":"Ingrid"}"#)
      case 4:
        guard random.below(4) == 0 else { continue }
        desk.wires.delegate?.socket(desk.socket, ended: .closed(code: 1006, reason: ""))
        unanswered = []
        desk.wires.pass(seconds: 40)
        let pending = model.filter(\.value.isPending).sorted { $0.key < $1.key }
        let list = pending.map { $0.value.json($0.key) }.joined(separator: ",")
        desk.connect(lists: ["exec.approval.list": "[\(list)]"])
      case 5, 6: look(desk, &seen)
      case 7, 8:
        guard !seen.isEmpty else { continue }
        let card = seen[random.below(seen.count)]
        let choice = ["allow-once", "allow-always", "deny"][random.below(3)]
        let before = desk.socket.sent.count
        asked += 1
        desk.source.decide(
          ControlDecision(item: card.id, fingerprint: card.fingerprint, choice: .offered(choice))
        ) { outcome in
          outcomes += 1
          if outcome.isDone { done += 1 }
        }
        let new = desk.socket.sent.dropFirst(before)
        guard let request = new.first else {
          counts.refused += 1
          continue
        }
        counts.sent += 1
        #expect(new.count == 1 && request["method"]?.string == "exec.approval.resolve")
        let sentID = request["params"]?["id"]?.string ?? ""
        let truth = model[sentID]
        #expect(sentID == card.id && card.choices.contains(choice), "seed \(seed) step \(step)")
        #expect(request["params"]?["decision"]?.string == choice)
        // What the gateway has told last is what the user saw.
        #expect(truth?.command == card.subject && truth?.offers == card.choices, "seed \(seed)")
        unanswered.append((request["id"]?.string ?? "", sentID))
      default:
        guard !unanswered.isEmpty else { continue }
        let (request, approval) = unanswered.removeFirst()
        let index = desk.wires.sockets.count - 1
        if model[approval]?.isPending == true {
          model[approval]?.isPending = false
          accepted += 1
          desk.wires.say(
            #"{"type":"res","id":"\#(request)","ok":true,"payload":{"ok":true}}"#, on: index)
          desk.event(
            "exec.approval.resolved",
            #"{"id":"\#(approval)","decision":"deny","resolvedBy":"clanky-cockpit"}"#)
        } else {
          desk.wires.say(
            #"{"type":"res","id":"\#(request)","ok":false,"error":{"code":"INVALID_REQUEST","details":{"reason":"APPROVAL_NOT_FOUND"}}}"#,
            on: index)
        }
      }
    }
    desk.wires.pass(seconds: 60)
    #expect(outcomes == asked, "seed \(seed): \(outcomes) of \(asked)")
    // What was reported as done was taken by the gateway; an answer that came too late was not reported as done.
    #expect(done <= accepted, "seed \(seed): \(done), \(accepted)")
    counts.done += done
  }

  private func look(_ desk: Desk, _ seen: inout [Seen]) {
    seen += (desk.control["waiting"]?.array ?? []).map { card in
      Seen(
        id: card["id"]?.string ?? "", fingerprint: card["fingerprint"]?.string ?? "",
        subject: card["subject"]?.string ?? "",
        choices: card["choices"]?.array?.compactMap(\.string) ?? [])
    }
  }
}
