import Networking
import Testing

@Suite struct HTTPDateTests {
  @Test func dates() {
    #expect(HTTPDate.milliseconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777_000)
    #expect(HTTPDate.milliseconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
    #expect(HTTPDate.milliseconds("Thu, 29 Feb 2024 23:59:59 GMT") == 1_709_251_199_000)
    // The obsolete forms that a recipient accepts (RFC 9110 section 5.6.7).
    #expect(HTTPDate.milliseconds("Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777_000)
    #expect(HTTPDate.milliseconds("Sun Nov  6 08:49:37 1994") == 784_111_777_000)
    #expect(HTTPDate.milliseconds("Thursday, 29-Feb-24 23:59:59 GMT") == 1_709_251_199_000)
    for bad in [
      "", "yesterday", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
      "Sunday, 06-Nov 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 1994",
    ] {
      #expect(HTTPDate.milliseconds(bad) == nil)
    }
    #expect(HTTPDate.retryAfterMs("120", nowMs: 0) == 120_000)
    #expect(HTTPDate.retryAfterMs("999999999999999999999", nowMs: 0) == (1 << 30) * 1_000)
    #expect(HTTPDate.retryAfterMs("Sun, 06 Nov 1994 08:49:37 GMT", nowMs: 784_111_770_000) == 7_000)
    #expect(HTTPDate.retryAfterMs("-5", nowMs: 0) == nil)
    #expect(HTTPDate.retryAfterMs("soon", nowMs: 0) == nil)
    #expect(HTTPDate.retryAfterMs("0", nowMs: 0) == 0)
    #expect(HTTPDate.retryAfterMs("Sun, 06 Nov 1994 08:49:37 GMT", nowMs: 784_111_779_000) == 0)
  }

  @Test("skew ignores jitter (promise P10)") func skewIgnoresJitter() {
    var skew = ClockSkew()
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let first = skew.observe(dateHeader: date, wallMs: 784_111_777_700)
    #expect(first)
    #expect(skew.milliseconds == 0)
    let jitter = skew.observe(dateHeader: date, wallMs: 784_111_778_200)
    #expect(!jitter)
    let step = skew.observe(dateHeader: date, wallMs: 784_111_700_000)
    #expect(step)
    #expect(skew.milliseconds == 77_500)
    let nonsense = skew.observe(dateHeader: "nonsense", wallMs: 0)
    #expect(!nonsense)
  }
}
