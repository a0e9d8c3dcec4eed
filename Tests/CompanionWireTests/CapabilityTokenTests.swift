import DeviceKeys
import LenientJSON
import Testing

@testable import CompanionWire

/// Capability tokens: only the gateway's own, for this session, now, and once.
@Suite struct CapabilityTokenTests {
  private static let gateway = DeviceKey(seed: (1...32).map { UInt8($0) })
  private static let stranger = DeviceKey(seed: (2...33).map { UInt8($0) })
  /// 2026-03-01T14:32:09Z
  private static let nowMs: Int64 = 1_772_375_529_000

  private func token(
    capability: String = "camera.front.once", granted: String = "2026-03-01T14:32:00Z",
    expires: String = "2026-03-01T14:33:00Z", session: String = "s1", nonce: String = "n1",
    by key: DeviceKey? = gateway
  ) throws -> CapabilityToken {
    let text = "\(capability)|\(granted)|\(expires)|\(session)|\(nonce)"
    let signer = try #require(key)
    let signature = try #require(signer.signature(of: text))
    return try #require(
      CapabilityToken(
        .body([
          ("capability", .string(capability)), ("granted_at", .string(granted)),
          ("expires_at", .string(expires)), ("session_id", .string(session)),
          ("nonce", .string(nonce)), ("signature", .string(signature)),
        ])))
  }

  private func problem(
    _ token: CapabilityToken, nowMs: Int64 = nowMs, used: Set<String> = []
  ) throws -> CapabilityToken.Problem? {
    let key = try #require(Self.gateway).publicKeyText
    do throws(CapabilityToken.Problem) {
      _ = try token.check(
        for: "camera.front.once", session: "s1", gatewayKey: key, nowMs: nowMs, used: used)
      return nil
    } catch {
      return error
    }
  }

  @Test("a good one is taken, and ends at its time")
  func good() throws {
    let key = try #require(Self.gateway).publicKeyText
    let end = try token().check(
      for: "camera.front.once", session: "s1", gatewayKey: key, nowMs: Self.nowMs, used: ["n0"])
    #expect(end == Self.nowMs + 51_000)
  }

  @Test(
    "foreign, re-signed, expired, early, replayed and bent ones are refused, each by its reason")
  func bad() throws {
    #expect(try problem(token(by: Self.stranger)) == .signature)
    #expect(try problem(token(session: "s2")) == .session)
    #expect(try problem(token(capability: "screen.record")) == .capability)
    #expect(try problem(token(), nowMs: Self.nowMs + 51_000) == .expired)
    #expect(try problem(token(), nowMs: Self.nowMs + 50_999) == nil)
    #expect(try problem(token(granted: "2026-03-01T14:32:20Z")) == .early)
    #expect(try problem(token(granted: "2026-03-01T14:32:12Z")) == nil)
    #expect(try problem(token(), used: ["n1"]) == .replayed)
    #expect(try problem(token(expires: "2026-03-01T14:31:00Z")) == .time)
    #expect(try problem(token(expires: "tomorrow")) == .time)
    #expect(try problem(token(expires: "2026-03-01T15:33:00+01:00")) == .time)
  }

  @Test("no field can be changed without its signature")
  func changed() throws {
    let good = try token()
    let changes: [(inout CapabilityToken) -> Void] = [
      { $0.capability = "camera.front.always" }, { $0.expiresAt = "2027-03-01T14:33:00Z" },
      { $0.grantedAt = "2026-03-01T14:00:00Z" }, { $0.sessionID = "s2" }, { $0.nonce = "n2" },
      { $0.signature = String($0.signature.reversed()) }, { $0.signature = "" },
    ]
    for change in changes {
      var token = good
      change(&token)
      #expect(try problem(token) == .signature)
    }
  }

  @Test("a separator inside a field cannot move a boundary")
  func separators() throws {
    // Both have the same signed text.
    let shifted = try token(session: "s1|n1", nonce: "x")
    #expect(try problem(shifted) == .signature)
  }
}
