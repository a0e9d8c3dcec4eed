import Networking
import CockpitStores
import Testing

@testable import CockpitSession

/// The exit code follows from what went wrong, whatever the sentences say.
@Suite struct FailureTests {
  private func unanswered(_ failure: LinkFailure, arrived: Bool = false) -> RequestFailure {
    .unanswered(RestFailure(failure: failure, mayHaveArrived: arrived))
  }

  @Test("a question: what the backend refuses is 1, what may be over soon is 3")
  func questions() {
    #expect(Failure(unanswered(.refused(origin: "http://x"))).code == 3)
    #expect(Failure(unanswered(.unauthorized(tokenGiven: true))).code == 4)
    #expect(Failure(RequestFailure.refused(status: 500, words: nil)).code == 3)
    #expect(Failure(RequestFailure.unreadable).code == 3)
    #expect(Failure(RequestFailure.other("Nothing answers (500).")).code == 1)
    let refused = Failure(RequestFailure.refused(status: 400, words: "The backend failed (500)."))
    #expect(refused.code == 1)
    #expect(
      refused.description
        == "The backend refused the request (400): The backend failed (500).. Check the arguments, --url, and the version of the backend."
    )
  }

  @Test("a change: 3 only when it certainly was not done")
  func changes() {
    func code(_ cause: RequestFailure) -> Int32 { Failure(ChangeFailure("No.", cause)).code }
    #expect(code(unanswered(.connectionLost(""), arrived: false)) == 3)
    #expect(code(unanswered(.connectionLost(""), arrived: true)) == 1)
    #expect(code(unanswered(.unauthorized(tokenGiven: false), arrived: true)) == 4)
    #expect(code(unanswered(.rateLimited, arrived: true)) == 3)
    #expect(code(.refused(status: 503, words: "no voice")) == 3)
    #expect(code(.refused(status: 503, words: nil)) == 1)
    #expect(code(.refused(status: 400, words: nil)) == 1)
    #expect(code(.unreadable) == 3)
    #expect(code(.other("Another change is under way.")) == 1)
  }

  @Test("a fact: what was sent may have arrived, what was only read again was not")
  func facts() {
    func code(_ failure: RequestFailure?, wasSent: Bool) -> Failure.Code {
      Failure.Code(failure, wasSent: wasSent)
    }
    let lost = unanswered(.connectionLost(""), arrived: true)
    #expect(code(lost, wasSent: true) == .failed && code(lost, wasSent: false) == .connection)
    #expect(code(.refused(status: 500, words: nil), wasSent: false) == .connection)
    #expect(code(.refused(status: 500, words: nil), wasSent: true) == .failed)
    #expect(code(.refused(status: 400, words: nil), wasSent: false) == .failed)
    #expect(code(unanswered(.unauthorized(tokenGiven: true)), wasSent: true) == .authentication)
    #expect(code(nil, wasSent: true) == .failed)
  }
}
