import CockpitDomain
import Networking
import Testing

@testable import CockpitStores

@MainActor
@Suite struct ClientHistoryTests {
  private let store = OperationsStore()
  private let clock = HandClock()
  private let keeper: ClientLogRecorder

  init() { keeper = ClientLogRecorder(store: store, clock: clock) }

  private var lines: [String] { store.log.entries.map { "\($0.severity.rawValue) \($0.text)" } }

  private func status(
    _ activity: LinkState, _ voice: LinkState = .live, failure: LinkFailure? = nil,
    retryInMs: UInt64? = nil
  ) -> SourceStatus {
    var status = SourceStatus(overall: activity == .live && voice == .live ? .live : .reconnecting)
    status[.activity].state = activity
    status[.activity].failure = failure
    status[.activity].retryAtNs = retryInMs.map { clock.nowNs + $0 * 1_000_000 }
    status[.voice].state = voice
    return status
  }

  @Test func theRingKeepsTheNewest() {
    for number in 0..<(ClientHistory.capacity + 3) { keeper.note(.info, "\(number)") }
    #expect(store.log.entries.count == ClientHistory.capacity)
    #expect(store.log.entries.first?.text == "3")
  }

  @Test func aStreamThatIsLostAndComesBack() {
    keeper.linkChanged(status(.connecting, .connecting))
    keeper.linkChanged(status(.live))
    clock.advance(seconds: 5)
    keeper.linkChanged(status(.stale))
    clock.advance(seconds: 10)
    keeper.linkChanged(status(.reconnecting, failure: .streamClosed, retryInMs: 3000))
    keeper.linkChanged(status(.reconnecting, failure: .streamClosed, retryInMs: 6000))
    keeper.linkChanged(
      status(.reconnecting, failure: .refused(origin: "http://b"), retryInMs: 12_000))
    clock.advance(seconds: 20)
    keeper.linkChanged(status(.live))
    #expect(
      lines == [
        "info The activity stream is live.", "info The voice stream is live.",
        "warning The activity stream is silent: nothing was heard for 10 s.",
        "warning The activity stream is lost. The backend closed the stream. Next attempt in 3 s.",
        "warning The activity stream is lost. Nothing answers at http://b: the connection was refused. Next attempt in 12 s.",
        "info The activity stream is live again after 30 s.",
      ])
  }

  @Test func aStreamThatWasNeverLiveIsNotLost() {
    keeper.linkChanged(status(.connecting, .connecting))
    keeper.linkChanged(
      status(.reconnecting, .connecting, failure: .refused(origin: "http://b"), retryInMs: 3000))
    clock.advance(seconds: 4)
    keeper.linkChanged(status(.live, .connecting))
    #expect(
      lines == [
        "warning The activity stream could not be opened. Nothing answers at http://b: the connection was refused. Next attempt in 3 s.",
        "info The activity stream is live after 4 s.",
      ])
  }

  @Test func whatEndsForGoodAndWhatIsPolled() {
    keeper.linkChanged(status(.polling, failure: .timedOut(.firstByte)))
    keeper.linkChanged(status(.stopped, failure: .unauthorized(tokenGiven: true)))
    keeper.linkChanged(status(.stopped))
    #expect(lines[0].contains("the same is polled"))
    #expect(
      lines.last?.hasPrefix("error The activity stream has ended. The backend did not") == true)
    #expect(lines.count == 3)  // and the voice stream's
  }

  @Test func requestsThatFailBesideLiveStreams() {
    keeper.linkChanged(status(.live))
    var failing = status(.live)
    failing.overall = .degraded
    failing.failure = .serverError(status: 500, message: "")
    keeper.linkChanged(failing)
    keeper.linkChanged(failing)
    keeper.linkChanged(status(.live))
    #expect(
      Array(lines.dropFirst(2)) == [
        "warning Requests fail while both streams are live. The backend failed (500).",
        "info Requests are answered again.",
      ])
  }

  @Test func aFloodOfNonsenseIsOneLineAMinute() {
    for _ in 0..<1000 { keeper.rejected("activity stream: no kind") }
    #expect(lines.count == 1)
    clock.advance(seconds: 61)
    keeper.rejected("activity stream: no kind")
    #expect(lines.count == 2 && lines[1].contains("and 999 more"))
  }

  @Test func gapsAndResets() {
    keeper.gapFilled(count: 31)
    keeper.gap(IDGap(from: 5, to: 9, atMs: 0))
    keeper.gap(IDGap(from: .min, to: .max, atMs: 0))
    keeper.logReset(rows: 0)
    #expect(lines[0] == "info 31 rows backfilled.")
    #expect(lines[1] == "warning 5 rows missing for good: ids 5 to 9 cannot be fetched.")
    #expect(lines.last?.contains("ids start anew") == true)
  }

  @Test func everyChangeIsWrittenDownWithItsOutcome() {
    let backend = ScriptedBackend()
    let requester = RecordingRequester(backend, history: keeper, clock: clock)
    var written: [String] = []
    keeper.onEntry = { written.append($0.text) }
    func send(_ method: HTTPMethod, _ path: [String]) {
      requester.request(RestRequest(method, RequestTarget(path))) { _ in }
      clock.advance(seconds: 0.088)
    }
    send(.get, ["api", "guilds"])
    backend.answer("[]")
    send(.post, ["api", "memory", "runtime-snapshot"])
    backend.answer("{}")
    #expect(lines.isEmpty)
    send(.put, ["api", "memory", "facts", "1042"])
    backend.answer(#"{"ok":true,"fact":{}}"#)
    send(.delete, ["api", "memory", "facts", "7"])
    backend.answer(404, #"{"ok":false,"error":"not_found"}"#)
    send(.post, ["api", "voice", "join"])
    backend.answer(#"{"ok":false,"reason":"requester_is_bot"}"#)
    send(.post, ["api", "voice", "join"])
    backend.fail(.timedOut(.transfer))
    send(.post, ["api", "voice", "leave"])
    backend.fail(.hidden(tokenGiven: true))
    #expect(
      lines == [
        "info PUT /api/memory/facts/1042: ok, 88 ms.",
        "warning DELETE /api/memory/facts/7: refused with 404 (not_found), 88 ms.",
        "warning POST /api/voice/join: refused (requester_is_bot), 88 ms.",
        "error POST /api/voice/join: outcome unknown after 88 ms. The answer did not arrive completely in time.",
        "info POST /api/voice/leave: no such route, 88 ms.",
      ])
    #expect(written.count == 5)
  }
}
