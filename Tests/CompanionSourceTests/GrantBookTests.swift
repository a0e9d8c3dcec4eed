import CompanionWire
import LenientJSON
import Testing

@testable import CompanionSource

/// Who may use what, and until when.
@Suite struct GrantBookTests {
  private static let second: UInt64 = 1_000_000_000
  private static let policy = GrantPolicy(
    profile: .extended, commands: ["camera": "fswebcam -", "notify": "notify-send"])

  private func request(
    _ id: String, _ capability: String = "camera.front.once", seconds: Int? = nil,
    token: String? = nil
  ) throws -> CapabilityRequest {
    var members = [
      #""request_id":"\#(id)""#, #""capability":"\#(capability)""#, #""purpose":"look""#,
    ]
    if let seconds { members.append(#""duration_s":\#(seconds)"#) }
    if let token { members.append(#""token":\#(token)"#) }
    let text =
      #"{"type":"capability_request","payload":{\#(members.joined(separator: ","))}}"#
    guard
      case .request(let request)? = GatewayEnvelope(try JSONValue.parse(Array(text.utf8)))?.message
    else { throw Unreadable() }
    return request
  }

  private struct Unreadable: Error {}

  private func take(
    _ book: inout GrantBook, _ request: CapabilityRequest, agent: String = "wren",
    policy: GrantPolicy = policy, checked: Result<UInt64, CapabilityToken.Problem>? = nil,
    at seconds: UInt64 = 0
  ) -> GrantBook.Intake {
    book.take(
      request, agent: agent, policy: policy, checked: checked, nowNs: seconds * Self.second)
  }

  @Test(
    "what has no command is refused at once, and what the profile excludes too",
    arguments: [
      ("camera.front.once", GrantPolicy.Profile.conservative, GrantPolicy.Refusal.notAllowed),
      ("camera.front.once", .extended, nil), ("location.once", .extended, .unavailable),
      ("ble.scan", .extended, .notAllowed), ("ble.scan", .full, .unavailable),
      ("canvas.draw", .conservative, nil), ("teleport", .full, .unavailable),
      ("notify", .conservative, nil), ("notifyx", .full, .unavailable),
    ] as [(String, GrantPolicy.Profile, GrantPolicy.Refusal?)])
  func policies(
    name: String, profile: GrantPolicy.Profile, expected: GrantPolicy.Refusal?
  ) throws {
    var policy = Self.policy
    policy.profile = profile
    var book = GrantBook()
    let intake = take(&book, try request("r", name), policy: policy)
    #expect(intake == (expected.map(GrantBook.Intake.refused) ?? .asked))
    #expect(book.waiting.count == (expected == nil ? 1 : 0))
  }

  @Test("the most exact command serves a capability")
  func commands() {
    let policy = GrantPolicy(commands: ["camera": "any", "camera.front": "front"])
    #expect(policy.command(for: Capability("camera.front.once")) == "front")
    #expect(policy.command(for: Capability("camera.frontal")) == "any")
    #expect(policy.command(for: Capability("camera.back")) == "any")
    #expect(policy.command(for: Capability("screen")) == nil)
  }

  @Test("once, timed and session end as they say; a shorter wish and a token's end count")
  func ends() throws {
    var book = GrantBook()
    for (index, (decision, seconds, tokenEnd, end))
      in ([
        (.once, nil, nil, 60), (.timed, nil, nil, 60), (.timed, 5, nil, 5), (.timed, 500, nil, 60),
        (.session, nil, nil, nil), (.session, nil, 9, 9), (.timed, 30, 9, 9),
      ] as [(ClientMessage.Decision, Int?, UInt64?, UInt64?)]).enumerated()
    {
      _ = take(
        &book, try request("r\(index)", "camera.a\(index)", seconds: seconds),
        checked: tokenEnd.map { .success($0 * Self.second) })
      let grant = book.decide("r\(index)", decision, nowNs: 0)
      #expect(grant?.endNs == end.map { $0 * Self.second }, "\(decision) \(index)")
    }
    #expect(book.expire(nowNs: 5 * Self.second - 1).isEmpty)
    #expect(book.expire(nowNs: 5 * Self.second).map(\.request) == ["r2"])
    #expect(book.nextEndNs == 9 * Self.second)
    #expect(book.expire(nowNs: .max).count == 5)
    #expect(book.grants.map(\.request) == ["r4"])
  }

  @Test("an invalid token can only be denied, and never gives a grant")
  func tokens() throws {
    var book = GrantBook()
    #expect(take(&book, try request("r1"), checked: .failure(.expired)) == .asked)
    #expect(take(&book, try request("r2", token: #"{"nonce":7}"#)) == .asked)
    for id in ["r1", "r2"] {
      #expect(book.choices(for: id) == [.deny])
      #expect(book.decide(id, .session, nowNs: 0) == nil)
      #expect(book.waiting.contains { $0.request.id == id })
      #expect(book.decide(id, .deny, nowNs: 0) == nil)
    }
    #expect(book.waiting.isEmpty && book.grants.isEmpty)
    // A live grant does not cover a request with an invalid token.
    _ = take(&book, try request("r3"))
    _ = book.decide("r3", .session, nowNs: 0)
    #expect(take(&book, try request("r4"), checked: .failure(.signature)) == .asked)
    // A token that ended while the question stood gives nothing.
    _ = take(&book, try request("r5", "camera.b"), checked: .success(3 * Self.second))
    #expect(book.decide("r5", .session, nowNs: 3 * Self.second) == nil)
  }

  @Test("a live grant covers the same capability of the same agent, and no other")
  func covering() throws {
    var book = GrantBook()
    _ = take(&book, try request("r1"))
    _ = book.decide("r1", .timed, nowNs: 0)
    guard case .covered(let grant) = take(&book, try request("r2"), at: 59) else {
      Issue.record("not covered")
      return
    }
    #expect(grant.uses == 2)
    #expect(take(&book, try request("r3"), agent: "moss", at: 59) == .asked)
    #expect(take(&book, try request("r4", "camera.front"), at: 59) == .asked)
    #expect(take(&book, try request("r5"), at: 60) == .asked)
  }

  @Test("once is used once; a repeated request is not asked again, also after its decision")
  func once() throws {
    var book = GrantBook()
    _ = take(&book, try request("r1"))
    #expect(take(&book, try request("r1")) == .repeated)
    _ = book.decide("r1", .once, nowNs: 0)
    #expect(book.use("r1") != nil && book.use("r1") == nil && book.grants.isEmpty)
    #expect(take(&book, try request("r1")) == .repeated)
    #expect(take(&book, try request("r2")) == .asked)
  }

  @Test("revoking and ending leave nothing, and requests are bounded")
  func ending() throws {
    var book = GrantBook()
    _ = take(&book, try request("r1"))
    _ = book.decide("r1", .session, nowNs: 0)
    #expect(book.revoke(Capability("camera.front.once")).count == 1 && book.grants.isEmpty)
    for index in 0..<60 {
      let intake = take(&book, try request("q\(index)", "camera.n\(index)"))
      #expect(intake == (index < GrantBook.maximumWaiting ? .asked : .refused(.busy)))
    }
    let ended = book.end()
    #expect(ended.waiting.count == GrantBook.maximumWaiting)
    #expect(book == GrantBook())
  }
}
