internal import CompanionWire
internal import DeviceKeys
internal import LenientJSON

/// What waits and what is granted, as the document that the stores read (`ControlBoard`).
struct CompanionBoard {
  struct Over {
    var id: String
    var words: String
    var atMs: Int64
  }

  var over: [Over] = []
  private static let maximumOver = 20

  mutating func note(_ id: String, _ words: String, atMs: Int64) {
    over.append(Over(id: id, words: words, atMs: atMs))
    if over.count > Self.maximumOver { over.removeFirst() }
  }

  /// - Parameters:
  ///   - wallMs: the gateway's time at the monotonic `nowNs`.
  ///   - isSuspended: whether grants rest, because the terminal has no focus.
  func document(
    _ book: GrantBook, nowNs: UInt64, wallMs: Int64, isSuspended: Bool
  ) -> JSONValue {
    func ms(_ ns: UInt64) -> Int64 {
      wallMs + Int64(clamping: Int64(bitPattern: ns &- nowNs) / 1_000_000)
    }
    let waiting = book.waiting.map { item -> JSONValue in
      var details: [JSONValue] = []
      if let seconds = item.request.seconds {
        details.append(Self.detail("asks for", "\(seconds) s"))
      }
      if let problem = item.problem { details.append(Self.detail("invalid token", problem)) }
      return .body([
        ("id", .string(item.request.id)),
        ("fingerprint", .string(Self.fingerprint(of: item.request))),
        ("kind", .string("capability")), ("subject", .string(Self.subject(item.request))),
        ("agent", item.agent.map { .string($0) }), ("created_ms", .integer(ms(item.sinceNs))),
        ("details", .array(details)), ("heard", .bool(true)),
        (
          "choices",
          .array(book.choices(for: item.request.id).map { .string($0.rawValue) })
        ),
      ])
    }
    let grants = book.grants.map { grant -> JSONValue in
      .body([
        ("id", .string(grant.request)), ("grant", .bool(true)),
        ("agent", grant.agent.map { .string($0) }), ("tool", .string(grant.capability.name)),
        ("phase", .string(isSuspended ? "suspended" : "granted")),
        ("started_ms", .integer(ms(grant.sinceNs))),
        ("ends_ms", grant.endNs.map { .integer(ms($0)) }),
      ])
    }
    return .body([
      ("waiting", .array(waiting)), ("runs", .array(grants)),
      (
        "over",
        .array(
          over.map {
            .body([
              ("id", .string($0.id)), ("words", .string($0.words)), ("at_ms", .integer($0.atMs)),
            ])
          })
      ),
      ("unknown", .array([])), ("notes", .array([])), ("can_answer", .bool(true)),
      ("can_stop", .bool(true)),
    ])
  }

  /// What is asked for, and why: a card has one line for both.
  static func subject(_ request: CapabilityRequest) -> String {
    let name = request.capability.name
    return request.purpose.isEmpty ? name : "\(name): \(request.purpose)"
  }

  private static func detail(_ name: String, _ value: String) -> JSONValue {
    .body([("name", .string(name)), ("value", .string(value))])
  }

  /// Of everything that is shown: an answer is bound to it. Ids of a session are not reused.
  static func fingerprint(of request: CapabilityRequest) -> String {
    let shown = [
      request.id, request.capability.name, request.purpose,
      request.seconds.map { "\($0)" } ?? "-",
    ].joined(separator: "\u{0}")
    return Digest.hexadecimal(Digest.sha256(Array(shown.utf8)))
  }
}
