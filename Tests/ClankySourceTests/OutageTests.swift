import CockpitDomain
@testable import ClankySource
import Testing

@testable import Networking

@MainActor
@Suite("outages and clocks as they are told") struct OutageTests {
  /// Both streams are cut and refused so often before they come back.
  private func outage(_ rig: Rig, refusals: Int) {
    for task in rig.transport.tasks where !task.isOver && task.request.purpose == .stream {
      task.end()
    }
    for _ in 0..<refusals {
      rig.clock.advance(ms: 31_000)
      for task in rig.transport.tasks where !task.isOver { task.end(.refused) }
    }
    rig.clock.advance(ms: 31_000)
    for task in rig.transport.tasks where !task.isOver && task.request.purpose == .stream {
      task.head(200)
      if task === rig.transport.activity {
        task.event("activity_snapshot", rows([1, 2, 3]))
      } else {
        task.event("voice_state", "{}")
      }
    }
  }

  @Test("D12: one outage is one reconnect, however often both streams were tried")
  func oneOutage() throws {
    let rig = try Rig()
    rig.goLive()
    #expect(rig.link.status.reconnects == 0 && rig.link.status.reconnectAttempts == 0)
    let before = rig.transport.tasks.count { $0.request.purpose == .stream }
    outage(rig, refusals: 3)
    #expect(rig.link.status.overall == .live)
    #expect(rig.link.status.reconnects == 1)
    // The requests seen by the server.
    let tried = rig.transport.tasks.count { $0.request.purpose == .stream } - before
    #expect(tried == 8)
    #expect(rig.link.status.reconnectAttempts == tried)
    outage(rig, refusals: 0)
    #expect(rig.link.status.reconnects == 2 && rig.link.status.reconnectAttempts == 10)
  }

  @Test("D12: the loss of one stream is an outage, and a backend that was never there is none")
  func others() throws {
    let rig = try Rig()
    rig.start()
    for task in rig.transport.tasks { task.end(.refused) }
    rig.clock.advance(ms: 4_000)
    for task in rig.transport.tasks where !task.isOver { task.head(200) }
    rig.transport.activity.event("activity_snapshot", rows([1]))
    rig.transport.voice.event("voice_state", "{}")
    #expect(rig.link.status.overall == .live)
    #expect(rig.link.status.reconnects == 0 && rig.link.status.reconnectAttempts == 0)
    rig.transport.voice.end()
    rig.clock.advance(ms: 7_000)
    rig.transport.voice.head(200)
    rig.transport.voice.event("voice_state", "{}")
    #expect(rig.link.status.reconnects == 1 && rig.link.status.reconnectAttempts == 1)
    #expect(rig.link.status.returns == 1)
  }

  @Test("D8: a header that is up to 2 s old is no difference of clocks")
  func oldHeaders() {
    var skew = ClockSkew()
    // 08:49:37; our clock is the same, the header between 0 and 3 s behind it.
    for late in stride(from: Int64(0), through: 2_990, by: 130) {
      _ = skew.observe(
        dateHeader: "Sun, 06 Nov 1994 08:49:37 GMT", wallMs: 784_111_777_000 + late)
      #expect(skew.milliseconds == 0, "\(late)")
    }
  }

  @Test("D8: a difference of some seconds is one, and old headers do not move it")
  func realDifference() {
    var skew = ClockSkew()
    let ahead: Int64 = 7_300
    _ = skew.observe(
      dateHeader: "Sun, 06 Nov 1994 08:49:37 GMT", wallMs: 784_111_777_100 - ahead)
    let first = skew.milliseconds ?? 0
    #expect(abs(first - Int(ahead)) <= 1_000)
    for late in stride(from: Int64(0), through: 2_500, by: 130) {
      let isNews = skew.observe(
        dateHeader: "Sun, 06 Nov 1994 08:49:37 GMT", wallMs: 784_111_777_100 + late - ahead)
      #expect(!isNews, "\(late)")
    }
    #expect(skew.milliseconds == first)
  }

  @Test("H8: without a Date header the clock is that of the newest live row")
  func clockOfRows() {
    var skew = ClockSkew()
    let wall: Int64 = 1_795_250_000_000
    func changes(_ rowMs: Int64) -> Bool { skew.observe(liveRowMs: rowMs, wallMs: wall) }
    let first = changes(wall - 123_000)
    #expect(first && skew.milliseconds == -123_000)
    // It was on its way for a while.
    let late = changes(wall - 130_000)
    let better = changes(wall - 120_000)
    #expect(!late && better && skew.milliseconds == -120_000)
    let (far, old) = (changes(.max), changes(0))
    #expect(!far && !old)
    // A header knows better.
    let isNews = skew.observe(
      dateHeader: "Sun, 06 Nov 1994 08:49:37 GMT", wallMs: 784_111_777_500)
    let after = changes(wall + 20_000)
    #expect(isNews && !after && skew.milliseconds == 0)
  }

  @Test("W03: a 401 that is not the backend's own is a login of something in front")
  func loginInFront() throws {
    let diagnosis = FailureDiagnosis(
      base: try BackendURL("https://bot.example"), token: try TokenText("sesame"))
    func failure(_ body: String, type: String, _ challenge: String?) -> LinkFailure? {
      let headers =
        [HTTPHeader("Content-Type", type)]
        + (challenge.map { [HTTPHeader("WWW-Authenticate", $0)] } ?? [])
      return diagnosis.failure(
        HTTPHead(status: 401, headers: headers), body: Array(body.utf8), expecting: .json)
    }
    let html = "<html>Sign in</html>"
    #expect(
      failure(html, type: "text/html", #"Basic realm="x""#) == .loginInFront(scheme: "Basic"))
    #expect(failure(html, type: "text/html", nil) == .loginInFront(scheme: ""))
    #expect(
      failure(#"{"message":"no"}"#, type: "application/json", "Bearer")
        == .loginInFront(scheme: "Bearer"))
    #expect(failure("", type: "", "Negotiate") == .loginInFront(scheme: "Negotiate"))
    #expect(failure("", type: "", "sesame") == .loginInFront(scheme: "<token>"))
    let own = #"{"error":"Unauthorized. Provide x-dashboard-token."}"#
    #expect(failure(own, type: "application/json", nil) == .unauthorized(tokenGiven: true))
    #expect(failure(own, type: "application/json", "Basic") == .unauthorized(tokenGiven: true))
    let login = LinkFailure.loginInFront(scheme: "Basic")
    #expect(login.exitCode == 3 && login.isRetryable && !login.isAboutToken)
    #expect(!login.description.contains("DASHBOARD_TOKEN"))
  }
}
