import ClankySource
import CockpitText
import CockpitDomain
import Networking
import Testing

@testable import CockpitSession

@Suite struct ConnectionWordsTests {
  private func status(
    _ state: LinkState, _ failure: LinkFailure? = nil, isPollPending: Bool = false
  ) -> SourceStatus {
    var status = SourceStatus(overall: state, failure: failure)
    status.detail = StatusSummary.detail(state, [], failure: failure)
    status.isPollPending = isPollPending
    return status
  }

  @Test("polling is said, once, and what it stands in for is not told before")
  func polling() {
    var words = ConnectionWords()
    #expect(words.next(status(.connecting)) == nil)
    #expect(words.next(status(.reconnecting, .timedOut(.firstByte), isPollPending: true)) == nil)
    let failure = LinkFailure.timedOut(.firstByte)
    #expect(
      words.next(status(.polling, failure))
        == "\(failure.sentence) Polling instead. \(failure.advice)")
    #expect(words.next(status(.polling, failure)) == nil)
    #expect(words.next(status(.polling)) == nil)
  }

  @Test("no sentence comes twice in a row, but a second break is news")
  func breaks() {
    var words = ConnectionWords()
    #expect(words.next(status(.live)) == nil)
    let lost = LinkFailure.connectionLost("")
    #expect(words.next(status(.reconnecting, lost)) == lost.description)
    #expect(words.next(status(.degraded, lost)) == nil)
    #expect(words.next(status(.stale)) == "Connected, but nothing was heard for a while.")
    #expect(words.next(status(.reconnecting, lost)) == lost.description)
    #expect(words.next(status(.live)) == nil)
    #expect(words.next(status(.reconnecting, lost)) == lost.description)
  }
}
