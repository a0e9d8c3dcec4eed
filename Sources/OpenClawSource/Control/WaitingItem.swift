internal import LenientJSON
package import OpenClawWire

/// Something that waits for an answer of the owner.
package enum WaitingItem: Sendable, Equatable {
  case approval(Approval)
  case question(GatewayQuestion)
  case pairing(PairingRequest)

  package var id: String {
    switch self {
    case .approval(let approval): approval.id
    case .question(let question): question.id
    case .pairing(let request): request.requestId
    }
  }

  /// The gateway's clock, ms since 1970; nil if it says none.
  package var expiresAtMs: Int? {
    switch self {
    case .approval(let approval): approval.expiresAtMs
    case .question(let question): question.expiresAtMs
    // A request lives five minutes (contract 5).
    case .pairing(let request): request.ts.map { $0 + 300_000 }
    }
  }

  /// What an answer is bound to: everything that is shown.
  package var fingerprint: String {
    switch self {
    case .approval(let approval): return approval.fingerprint
    case .question(let question):
      let items = question.items.map { item in
        ([item.id, item.header, item.question] + item.options
          + ["\(item.isMultiSelect) \(item.isOther) \(item.isSecret)"]).joined(separator: "\u{1}")
      }
      return Fingerprint.of(([question.id] + items).joined(separator: "\u{0}"))
    case .pairing(let request):
      let parts = [
        request.requestId, request.deviceId, request.displayName, request.platform,
        request.remoteAddress,
      ]
      return Fingerprint.of(
        (parts.map { $0 ?? "" } + request.scopes).joined(separator: "\u{0}"))
    }
  }

  /// As `ControlBoard` reads it.
  ///
  /// - Parameter isHeard: whether an event announced it.
  func json(isHeard: Bool) -> JSONValue {
    var members: [(key: String, value: JSONValue?)] = [
      ("id", .string(id)), ("fingerprint", .string(fingerprint)),
      ("expires_ms", expiresAtMs.map { .integer($0) }), ("heard", .bool(isHeard)),
    ]
    switch self {
    case .approval(let approval):
      members += [
        ("kind", .string(approval.kind.rawValue)), ("subject", .string(approval.subject)),
        (
          "agent",
          (approval.agentId ?? GatewayFeed.agent(of: approval.sessionKey)).map { .string($0) }
        ),
        ("created_ms", approval.createdAtMs.map { .integer($0) }),
        (
          "details",
          .array(
            approval.details.map {
              .body([("name", .string($0.name)), ("value", .string($0.value))])
            })
        ),
        ("choices", .array(approval.decisions.map { .string($0.rawValue) })),
      ]
    case .question(let question):
      members += [
        ("kind", .string("question")),
        ("subject", .string(question.items.map(\.question).joined(separator: " "))),
        (
          "agent",
          (question.agentId ?? GatewayFeed.agent(of: question.sessionKey)).map { .string($0) }
        ),
        ("details", .array(question.sessionKey.map { [detail("session", $0)] } ?? [])),
        ("questions", .array(question.items.map(Self.json))),
      ]
    case .pairing(let request):
      let details: [JSONValue?] = [
        request.platform.map { detail("platform", $0) },
        request.remoteAddress.map { detail("from", $0) },
        // The first 64 bits are what the new device shows.
        request.deviceId.map { detail("device", String($0.prefix(16))) },
      ]
      members += [
        ("kind", .string("pairing")), ("created_ms", request.ts.map { .integer($0) }),
        ("subject", .string(request.displayName ?? "a device without a name")),
        (
          "details",
          .array(details.compactMap(\.self) + request.scopes.map { detail("asks for", $0) })
        ),
        ("choices", .array([.string("approve"), .string("reject")])),
      ]
    }
    return .body(members)
  }

  private func detail(_ name: String, _ value: String) -> JSONValue {
    .body([("name", .string(name)), ("value", .string(value))])
  }

  private static func json(_ item: GatewayQuestion.Item) -> JSONValue {
    .body([
      ("id", .string(item.id)), ("header", .string(item.header)),
      ("question", .string(item.question)),
      ("options", .array(item.options.map { .string($0) })),
      ("multi", .bool(item.isMultiSelect)), ("other", .bool(item.isOther)),
      ("secret", .bool(item.isSecret)),
    ])
  }
}
