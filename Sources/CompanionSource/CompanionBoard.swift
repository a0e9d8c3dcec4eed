internal import CompanionWire
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
      var details: [JSONValue] = [Self.detail("purpose", item.request.purpose)]
      if let seconds = item.request.seconds {
        details.append(Self.detail("asks for", "\(seconds) s"))
      }
      if let problem = item.problem { details.append(Self.detail("invalid token", problem)) }
      return .body([
        ("id", .string(item.request.id)),
        ("fingerprint", .string(Self.fingerprint(of: item.request))),
        ("kind", .string("capability")), ("subject", .string(item.request.capability.name)),
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

  private static func detail(_ name: String, _ value: String) -> JSONValue {
    .body([("name", .string(name)), ("value", .string(value))])
  }

  /// Of everything that is shown: an answer is bound to it. Ids of a session are not reused.
  static func fingerprint(of request: CapabilityRequest) -> String {
    [
      request.id, request.capability.name, request.purpose,
      request.seconds.map { "\($0)" } ?? "-",
    ].joined(separator: "\u{0}")
  }
}
