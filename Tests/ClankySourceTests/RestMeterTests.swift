import CockpitDomain
@testable import ClankySource
import Testing

@testable import Networking

@MainActor
@Suite struct RestMeterTests {
  private func answer(_ latencyMs: Double, status: Int = 200) -> Result<RestAnswer, RestFailure> {
    .success(RestAnswer(status: status, body: [1, 2, 3], latencyMs: latencyMs))
  }

  @Test func percentilesAreNearestRank() {
    var meter = RestMeter()
    #expect(meter.p50Ms == nil && meter.p95Ms == nil)
    meter.ended(answer(7), isPatient: false)
    #expect(meter.p50Ms == 7 && meter.p95Ms == 7)
    for value in 1...19 { meter.ended(answer(Double(value) * 10), isPatient: false) }
    // 7, 10, 20 ... 190: ten of twenty are not above the tenth.
    #expect(meter.p50Ms == 90 && meter.p95Ms == 180)
  }

  @Test func onlyTheLastAnswersCount() {
    var meter = RestMeter()
    for _ in 0..<500 { meter.ended(answer(1000), isPatient: false) }
    for _ in 0..<RestMeter.window { meter.ended(answer(5), isPatient: false) }
    #expect(meter.p50Ms == 5 && meter.p95Ms == 5 && meter.bytes == 3 * 756)
  }

  @Test func slowWorkSaysNothingOfTheConnection() {
    var meter = RestMeter()
    meter.ended(answer(20), isPatient: false)
    for _ in 0..<9 { meter.ended(answer(30_000), isPatient: true) }
    #expect(meter.p95Ms == 20)
  }

  @Test func failuresAreCountedAndMissingRoutesAreNone() {
    var meter = RestMeter()
    for _ in 0..<6 { meter.sent() }
    meter.ended(answer(1, status: 500), isPatient: false)
    meter.ended(answer(1, status: 404), isPatient: false)
    for failure in [
      LinkFailure.timedOut(.transfer), .hidden(tokenGiven: true), .notClanky(.wrongPath),
      .unauthorized(tokenGiven: true),
    ] {
      meter.ended(.failure(RestFailure(failure: failure, mayHaveArrived: true)), isPatient: false)
    }
    #expect(meter.requests == 6 && meter.failures == 3)
  }

  @Test func theStatusHasThem() throws {
    let rig = try Rig()
    rig.goLive()
    #expect(rig.link.status.restRequests == 0 && rig.link.status.reconnectedAtNs == nil)
    func ask(totalMs: Int?) {
      rig.link.request(
        RestRequest(.post, RequestTarget(["api", "voice", "join"]), totalMs: totalMs)
      ) { _ in }
      rig.clock.advance(ms: 40)
    }
    ask(totalMs: 60_000)
    // Joining takes long before its answer begins (contract 3.4.1).
    #expect(rig.transport.tasks.last?.request.timeouts.headersMs == 60_000)
    rig.transport.tasks.last?.answer(200, "{}")
    #expect(rig.link.status.restP50Ms == nil && rig.link.status.restRequests == 1)
    ask(totalMs: nil)
    #expect(rig.transport.tasks.last?.request.timeouts.headersMs == 10_000)
    rig.transport.tasks.last?.answer(200, "{}")
    #expect(rig.link.status.restP50Ms == 40 && rig.link.status.restBytes == 4)
  }

  @Test func aReconnectHasItsTime() throws {
    let rig = try Rig()
    rig.goLive()
    rig.transport.activity.end(nil)
    rig.clock.advance(ms: 5_000)
    rig.transport.activity.head(200)
    rig.transport.activity.event("activity_snapshot", rows([1, 2, 3]))
    #expect(rig.link.status.reconnectedAtNs == rig.clock.nowNs)
  }
}
