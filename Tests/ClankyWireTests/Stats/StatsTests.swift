import LenientJSON
import ClankyWire
import Testing

@Suite("Figures")
struct StatsTests {
  private static func envelope(_ dailyCost: String) throws -> StatsEnvelope {
    try #require(
      StatsEnvelope(try .parse(#"{"stats": {"dailyCost": \#(dailyCost)}, "runtime": {}}"#)))
  }

  @Test("the cost of today is 0 without a row for the UTC day, and unknown without a list")
  func costToday() throws {
    let envelope = try Self.envelope(
      #"[{"day": "2026-05-09", "usd": 0.10595600000000001}, {"day": "2026-05-08", "usd": 3}]"#)
    #expect(envelope.costToday(utcDay: "2026-05-09") == 0.10595600000000001)
    #expect(envelope.costToday(utcDay: "2026-05-08") == 3)
    #expect(envelope.costToday(utcDay: "2026-05-10") == 0)
    #expect(try Self.envelope("[]").costToday(utcDay: "2026-05-10") == 0)
    #expect(try Self.envelope(#"{"2026-05-10": 1}"#).costToday(utcDay: "2026-05-10") == nil)
    #expect(
      try Self.envelope(#"[{"day": "2026-05-09", "usd": NaN}]"#).costToday(utcDay: "2026-05-09")
        == nil)
    #expect(StatsEnvelope().costToday(utcDay: "2026-05-09") == nil)
    let none: StatsEnvelope? = nil
    #expect(none?.costToday(utcDay: "2026-05-09") == nil)
  }

  @Test("the day ends at midnight UTC")
  func midnight() throws {
    let envelope = try Self.envelope(#"[{"day": "2026-05-09", "usd": 2}]"#)
    let before = try #require(WireTime(iso: "2026-05-09T23:59:59.999Z"))
    #expect(before.utcDay == "2026-05-09")
    #expect(envelope.costToday(at: before) == 2)
    #expect(envelope.costToday(at: WireTime(milliseconds: before.milliseconds + 1)) == 0)
  }

  @Test("a metric without samples has no values, not zeros")
  func emptyMetric() throws {
    let metric = Metric(
      try .parse(#"{"count":0,"minMs":null,"p50Ms":null,"p95Ms":null,"avgMs":null,"maxMs":null}"#))
    #expect(metric == Metric(count: 0))
  }

  @Test("one odd counter costs itself")
  func counters() throws {
    let stats = try #require(
      Stats(
        try .parse(#"{"last24h": {"sent_reply": 4, "reacted": {}, "llm_call": null, "new": 1}}"#)))
    #expect(stats.last24h == ["sent_reply": 4, "new": 1])
  }

  @Test("no tunnel manager, a tunnel, and something else")
  func publicHttps() throws {
    #expect(PublicHttpsReply(.null) == PublicHttpsReply(tunnel: nil))
    #expect(PublicHttpsReply(.string("x")) == nil)
    let reply = PublicHttpsReply(
      try .parse(#"{"enabled": true, "status": "melting", "publicUrl": "", "lastError": ""}"#))
    #expect(
      reply?.tunnel
        == PublicHttps(
          enabled: true, status: TunnelStatus(rawValue: "melting"), publicURL: "", lastError: ""))
  }

  @Test("absent managers are nil, absent always-present objects are empty")
  func runtime() throws {
    let runtime = try #require(
      Runtime(try .parse(#"{"publicHttps": null, "screenShare": null, "gateway": "?"}"#)))
    #expect(runtime == Runtime())
    #expect(runtime.gateway.reconnectAttempts == nil)
  }
}
