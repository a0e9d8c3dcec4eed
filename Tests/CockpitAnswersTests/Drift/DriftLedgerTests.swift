import ClankyWire
import CockpitDemo
import CockpitStores
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitAnswers

/// What is not known is counted and listed, and nothing of people is.
@Suite struct DriftLedgerTests {
  private func report(_ ledger: DriftLedger) -> String {
    (DriftReport(ledger).lines(version: "0").map(\.description)
      + [String(decoding: DriftReport(ledger).json(version: "0"), as: UTF8.self)])
      .joined(separator: "\n")
  }

  private func row(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

  @Test("each novelty is listed with its type, count and times")
  func entries() throws {
    var ledger = DriftLedger(WireVocabulary())
    let text =
      #"{"id":1,"created_at":"2026-05-09T14:00:00.000Z","kind":"tea_served","content":"hello","shelf_life":3,"metadata":{"reason":"kettle_was_cold","moodRing":{"a":"Mira"},"durationMs":[4]}}"#
    for ms: Int64 in [10, 30, 20] {
      ledger.take(row: try row(text), from: "/api/actions", atMs: ms)
    }
    let container =
      #"{"id":1,"kind":"voice_runtime","content":"kettle_boiled:now","metadata":{}}"#
    ledger.take(row: try row(container), from: "/api/voice/events", atMs: 40)
    ledger.take(route: "/api/stats", status: 404, atMs: 50)
    ledger.take(route: "/api/guilds", status: 500, atMs: 50)
    let found = ledger.found.map {
      "\($0.subject)|\($0.name)|\($0.detail)|\($0.within)|\($0.count)"
    }
    #expect(
      found == [
        "kind|tea_served||row|3", "event|kettle_boiled||voice_runtime|1",
        "field|moodRing|object|tea_served|3", "field|shelf_life|number|tea_served|3",
        "type|durationMs|list instead of number|tea_served|3",
        "reason|reason = kettle_was_cold||tea_served|3", "route|/api/stats|status 404||1",
      ])
    let times = ledger.found.first.map { [$0.firstMs, $0.lastMs] }
    #expect(times == [10, 30])
    #expect(!report(ledger).lowercased().contains("mira"))
    let sentence = DriftReport(ledger).sentence?.description
    #expect(
      sentence
        == "1 kind, 1 event, 2 fields, 1 field of another type, 1 reason and 1 route are not known")
  }

  @Test("names that could be words or ids of people are counted and not shown")
  func people() throws {
    var ledger = DriftLedger(WireVocabulary())
    let rows = [
      #"{"kind":"sent_reply","content":"good evening brindle","metadata":{"durationMs":1,"model":"m","source":"s","sessionId":"t","brindle":1,"99887766554433":2,"a name with blanks":3,"note_https://x.example":4}}"#,
      #"{"kind":"sent_reply","content":"x","metadata":{"Ana":1,"Bela":2,"Cleo":3,"Dora":4,"Emil":5}}"#,
      #"{"kind":"mira@example.org","content":"x","metadata":{"reason":"because Mira said so"}}"#,
    ]
    for text in rows { ledger.take(row: try row(text), from: "/api/actions", atMs: 1) }
    let text = report(ledger)
    for word in ["brindle", "99887766554433", "blanks", "example", "Ana", "Dora", "Mira"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(ledger.hiddenCount == 5)
  }

  @Test("names, counts and memory are bounded whatever comes")
  func bounded() throws {
    var ledger = DriftLedger(WireVocabulary())
    func letters(_ number: Int) -> String {
      String(String(number).map { Character(UnicodeScalar(UInt8($0.wholeNumberValue ?? 0) + 97)) })
    }
    for number in 0..<1_000 {
      let text =
        #"{"kind":"new_kind_\#(letters(number))","content":"x","zz_\#(letters(number))":true}"#
      ledger.take(row: try row(text), from: "/api/actions", atMs: 1)
    }
    #expect(ledger.found.count == 2 * DriftLedger.most)
    #expect(ledger.beyond == [.kind: 900, .field: 900])
    #expect(report(ledger).contains("and more names, 900 times"))
    var deep = JSONValue.integer(1)
    for _ in 0..<150 { deep = .body([("metadata", deep), ("x", .array([deep]))]) }
    let wide = JSONValue.array((0..<50_000).map { .integer($0) })
    ledger.take(document: .body([("sessions", wide)]), called: "voice_state", from: "r", atMs: 1)
    ledger.take(row: .array([]), from: "r", atMs: 1)
    #expect(ledger.unreadable == 1)
  }

  @Test("a hostile bot's report is plain and holds none of its texts")
  func hostile() async {
    let heard = await HeardWire.of(.hostile)
    let ledger = heard.ledger()
    #expect(!ledger.isEmpty)
    let text = report(ledger)
    #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
    check(text, heard, ledger)
  }

  /// Scans for every text of the fixture, but words of the wire itself.
  private func check(_ text: String, _ heard: HeardWire, _ ledger: DriftLedger) {
    let vocabulary = WireVocabulary()
    let own = Set(
      ledger.found.flatMap {
        [$0.name, $0.within] + $0.name.split(separator: " ").map(String.init)
      })
    let shown = Set(
      text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }).map(String.init))
    // Words of the report itself, such as the name of the program and of types.
    let empty = report(DriftLedger(WireVocabulary())) + " text number list object null true false"
    let ours = Set(
      empty.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }).map(String.init))
    for words in heard.texts where words.utf8.count >= 4 && !ours.contains(words) {
      let isOfWire =
        vocabulary.words.contains(WireVocabulary.fold(words)) || own.contains(words)
        || ActionKind(rawValue: words).isKnown
      if isOfWire { continue }
      let isSimple = words.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      #expect(isSimple ? !shown.contains(words) : !text.contains(words), "\(words.prefix(80))")
    }
    for (id, name) in DemoRecording.everybody {
      let isShown = text.contains(id) || shown.contains(name) && !ours.contains(name)
      #expect(!isShown, "\(name)")
    }
  }

  // MARK: 200 wires

  private struct Random {
    var state: UInt64
    mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(1, count)))
    }
  }

  /// Names of members that occur, without those that a row cannot be read without.
  private func fields(_ heard: HeardWire) -> [String] {
    var names: Set<String> = []
    func collect(_ value: JSONValue) {
      switch value {
      case .array(let elements): for element in elements { collect(element) }
      case .object(let object):
        for member in object.members where !WireVocabulary.opaque.contains(member.key) {
          if DriftLedger.isName(member.key) { names.insert(member.key) }
          collect(member.value)
        }
      default: break
      }
    }
    for row in heard.rows { collect(row) }
    return names.subtracting(["id", "kind", "created_at", "createdAt", "content", "metadata"])
      .sorted()
  }

  /// Names of members that hold a text somewhere.
  private func textFields(_ heard: HeardWire) -> Set<String> {
    var names: Set<String> = []
    func collect(_ value: JSONValue) {
      switch value {
      case .array(let elements): for element in elements { collect(element) }
      case .object(let object):
        for member in object.members where !WireVocabulary.opaque.contains(member.key) {
          if member.value.string != nil { names.insert(member.key) }
          collect(member.value)
        }
      default: break
      }
    }
    for row in heard.rows { collect(row) }
    return names
  }

  @Test("200 changed wires: no row is lost, and every novelty is listed")
  func mutations() async throws {
    var heard = await HeardWire.of(.story)
    heard.rows = Array(heard.rows.prefix(200))
    heard.documents = heard.documents.prefix(12).map { $0 }
    let fields = fields(heard)
    let vocabulary = WireVocabulary()
    let typed = fields.filter {
      vocabulary.types[$0].map { !$0.isEmpty && !$0.contains("a") } ?? false
    }
    let texts = textFields(heard)
    let words = fields.filter { vocabulary.isEnumeration($0) && texts.contains($0) }
    #expect(heard.ledger().found == [])
    #expect(fields.count > 60 && typed.count > 20)
    var random = Random(state: 20_260_509)
    for number in 0..<200 {
      let change = WireMutation.Change.allCases[number % WireMutation.Change.allCases.count]
      var mutation = WireMutation(change: change)
      switch change {
      case .retype: mutation.field = typed[random.next(typed.count)]
      case .word where !words.isEmpty: mutation.field = words[random.next(words.count)]
      default: mutation.field = fields[random.next(fields.count)]
      }
      mutation.name = "zq\("abcdefghij".dropFirst(random.next(10)).prefix(1))_\(number)x"
      var changed = heard
      changed.rows = heard.rows.map(mutation.applied)
      var added = 0
      if change == .kind || change == .event {
        changed.rows = changed.rows.map { value in
          guard case .object(var object) = value,
            let index = object.members.firstIndex(where: {
              $0.key == (change == .kind ? "kind" : "content")
            }),
            change == .kind
              ? random.next(5) == 0
              : ActionKind(rawValue: object["kind"]?.string ?? "").isContainer
          else { return value }
          object.members[index].value = .string(mutation.name)
          added += 1
          return .object(object)
        }
      }
      var ledger = changed.ledger()
      if change == .route { ledger.take(route: "/api/\(mutation.name)", status: 404, atMs: 1) }
      // No row is lost: all that could be read before can be read now.
      #expect(accepted(changed.rows) == accepted(heard.rows), "\(mutation)")
      let found = ledger.found
      let isListed: Bool =
        switch change {
        case .rename, .add: found.contains { $0.subject == .field && $0.name == mutation.name }
        case .retype: found.contains { $0.subject == .type && $0.name == mutation.field }
        case .kind: added == 0 || found.contains { $0.subject == .kind && $0.name == mutation.name }
        case .event:
          added == 0 || found.contains { $0.subject == .event && $0.name == mutation.name }
        case .word:
          words.isEmpty
            || found.contains { $0.name.hasSuffix(" = \(mutation.name)") }
        case .route: found.contains { $0.subject == .route && $0.name == "/api/\(mutation.name)" }
        // What is not there is no name that could be listed.
        case .remove: found.isEmpty
        }
      #expect(isListed, "\(mutation): \(found.map(\.name))")
      let text = report(ledger)
      #expect(!text.contains("secret"))
      if number % 20 == 0 { check(text, heard, ledger) }
    }
  }

  /// Rows that the log takes.
  private func accepted(_ rows: [JSONValue]) -> Int {
    var payload: [UInt8] = []
    JSONValue.array(rows).write(to: &payload, ascii: true)
    let log = ActionLog(memory: 256 << 20)
    let report = payload.withUnsafeBytes { log.ingestRows($0, nowMs: 1_778_000_000_000) }
    return report.count - report.rejected
  }
}
