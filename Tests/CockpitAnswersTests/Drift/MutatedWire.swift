import ClankyWire
import CockpitDemo
import CockpitStores
import LenientJSON
import Testing

@testable import CockpitAnswers

/// What a demo bot said, and the same in a wire with other names and types.
struct HeardWire: Sendable {
  var rows: [JSONValue] = []
  var documents: [(name: String, value: JSONValue)] = []

  static func of(
    _ scenario: DemoScenario, seed: UInt64 = 3, minutes: Int64 = 6, dialect: DemoDialect = .may
  ) async -> HeardWire {
    var heard = HeardWire()
    var options = DemoOptions(
      seed: seed, scenario: scenario, token: "t", dialect: dialect, clock: ManualDemoClock())
    if scenario != .night { options.history = 0 }
    var lists: [(String, [UInt8])] = []
    await DemoRecording.run(options, startMs: 1_778_000_000_000, forMs: minutes * 60_000) {
      switch $1 {
      case .row(let json):
        if let value = try? JSONValue.parse(json, sparesRows: true) { heard.rows.append(value) }
      case .document(let name, let body): lists.append((name, body))
      }
    }
    heard.documents = lists.compactMap { name, body in
      guard !name.contains("settings"),
        let value = try? JSONValue.parse(body, sparesRows: true)
      else { return nil }
      return (name, value)
    }
    return heard
  }

  func ledger(_ empty: DriftLedger = DriftLedger(WireVocabulary())) -> DriftLedger {
    var ledger = empty
    for (index, row) in rows.enumerated() {
      ledger.take(row: row, from: "/api/actions", atMs: 1_000 + Int64(index))
    }
    for (name, value) in documents {
      let called = name.hasPrefix("GET") ? "answer" : name
      ledger.take(document: value, called: called, from: "/api/route", atMs: 5_000)
    }
    return ledger
  }

  /// All texts in it, and names of members that are data.
  var texts: Set<String> {
    var found: Set<String> = []
    func collect(_ value: JSONValue) {
      switch value {
      case .string(let text): found.insert(text)
      case .array(let elements): for element in elements { collect(element) }
      case .object(let object): for member in object.members { collect(member.value) }
      default: break
      }
    }
    for row in rows { collect(row) }
    for document in documents { collect(document.value) }
    return found
  }
}

/// One change of a wire: which, where, and what has to be listed then.
struct WireMutation: Sendable, CustomStringConvertible {
  enum Change: CaseIterable, Sendable { case rename, add, remove, retype, kind, event, word, route }

  var change: Change
  var field = ""
  var name = ""

  var description: String { "\(change) \(field) \(name)" }

  /// The same value with the change in each place where it applies.
  func applied(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map(applied))
    case .object(let object):
      var members: [JSONObject.Member] = []
      for member in object.members {
        var member = member
        // Nothing is looked at below it.
        if WireVocabulary.opaque.contains(member.key) {
          members.append(member)
          continue
        }
        if member.key == field {
          switch change {
          case .rename: member.key = name
          case .remove: continue
          case .retype: member.value = .array([member.value])
          case .word: if member.value.string != nil { member.value = .string(name) }
          case .add:
            members.append(.init(key: name, value: .body([("inner", .string("secret words"))])))
          default: break
          }
          if change == .rename || change == .retype {
            members.append(member)
            continue
          }
        }
        member.value = applied(member.value)
        members.append(member)
      }
      return .object(JSONObject(members: members))
    default: return value
    }
  }
}
