internal import LenientJSON
package import Networking
package import ClankyWire

/// One edit in progress, from "send" to its outcome.
///
/// The backend has no version check (contract 6.3), so it is emulated: the fact is read again, and
/// the single PUT is sent only if it is unchanged since the form was opened. A value without I/O:
/// it says which request is next and receives the answers.
package struct FactChange: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// Another run of the program is changing the fact; nothing is sent until it has finished.
    case waiting
    /// The fact is being read again.
    case checking
    /// The PUT is under way; there is never a second one for the same confirmation.
    case sending
    /// The outcome is not known; the fact is being read to find out.
    case verifying
    /// The fact was changed meanwhile. The user decides.
    case conflict(theirs: Fact)
    /// The fact no longer exists; nothing was stored.
    case gone
    /// The backend refused it.
    case refused(FactRefusal)
    /// Nothing was stored, for a reason said as one sentence.
    case failed(String)
    /// It may or may not have been stored, and reading it again did not tell.
    case unknown(String)
    /// The backend confirmed it; `cut` names fields it altered, which should be none.
    case stored(Fact, cut: [FactProblem.Field])
  }

  /// Where the text that is sent is kept while its outcome is open.
  package enum Keeping: Hashable, Sendable {
    /// As a draft on the disk.
    case disk
    /// It could not be written: it is lost with the program.
    case memory
    /// Not typed by the user, as in a bulk change: nothing is reported about it.
    case none
  }

  /// A request to send.
  package enum Step: Hashable, Sendable {
    /// Reads the fact.
    case read
    /// Changes it: the only request that does.
    case put
  }

  package private(set) var state: State
  package let draft: FactDraft
  /// The version that the user has seen and decided to replace; nil compares with the draft's base.
  package let overwriting: FactOverwrite?
  /// Whether the PUT was sent.
  package private(set) var wasSent = false
  /// The fact as it was read last before the PUT.
  package private(set) var before: Fact?
  /// Whether the stored confidence differs from the requested one.
  package private(set) var isConfidenceClamped = false
  /// The last failure on the wire; nil if there was none.
  package private(set) var failure: RequestFailure?
  /// Whether any request was made.
  private(set) var hasAsked = false
  let keeping: Keeping
  private var lookup: FactRefetch
  /// Why the outcome of the PUT is not known.
  private(set) var doubt = ""

  /// - Parameters:
  ///   - overwriting: the other version that the user has seen and decided to replace.
  ///   - keeping: whether and where the draft was saved.
  package init(
    _ draft: FactDraft, overwriting: FactOverwrite? = nil, keeping: Keeping = .disk
  ) {
    self.draft = draft
    self.keeping = keeping
    self.overwriting = overwriting
    let base = overwriting?.theirs ?? draft.base
    lookup = FactRefetch(
      factID: draft.factID, target: draft.edit.target,
      subjects: [base.subject ?? "", draft.base.subject ?? ""],
      texts: [base.fact ?? "", draft.base.fact ?? ""])
    state = .checking
    if let problem = draft.edit.problems.first {
      state = .failed(problem.description)
    } else if let field = draft.hidden(in: base) {
      state = .failed(Self.holdsToken(field) + kept)
    }
  }

  package var factID: Int { draft.factID }

  /// Whether an answer is awaited: then no other change of this fact may begin.
  package var isUnderWay: Bool {
    switch state {
    case .waiting, .checking, .sending, .verifying: true
    case .conflict, .gone, .refused, .failed, .unknown, .stored: false
    }
  }

  /// The next request; nil once the change has ended, and while the PUT is in flight.
  package var next: Step? {
    switch state {
    case .checking, .verifying: .read
    case .sending: wasSent ? nil : .put
    case .waiting, .conflict, .gone, .refused, .failed, .unknown, .stored: nil
    }
  }

  /// The request of a step. Asking for the PUT counts as sending it: it is given out once.
  package mutating func request(_ step: Step) -> RestRequest? {
    guard next == step else { return nil }
    hasAsked = true
    guard step == .put else { return lookup.request }
    do {
      let body = try draft.edit.body()
      wasSent = true
      return RestRequest(
        .put, RequestTarget(draft.edit.path.split(separator: "/").map(String.init)),
        body: Array(body.serialized().utf8))
    } catch {
      state = .failed(error.description)
      return nil
    }
  }

  /// Lets another run of the program end first.
  mutating func wait() {
    if case .checking = state, !hasAsked { state = .waiting }
  }

  /// Begins after the wait.
  mutating func begin() {
    if case .waiting = state { state = .checking }
  }

  /// Cancels before the PUT is sent; has no effect afterwards.
  package mutating func hold(_ problem: String) {
    guard isUnderWay, !wasSent else { return }
    state = .failed(problem + kept)
  }

  /// Takes the answer to a step.
  package mutating func take(_ result: Result<RestAnswer, RestFailure>, of step: Step) {
    switch (step, state) {
    case (.read, .checking):
      if let outcome = lookup.take(result) { check(outcome) }
    case (.read, .verifying):
      if let outcome = lookup.take(result) { verify(outcome) }
    case (.put, .sending) where wasSent: takeReply(result)
    default: break
    }
  }

  private var requested: FactContent { FactContent(draft.edit) }

  // MARK: Before the PUT

  private mutating func check(_ outcome: FactRefetch.Outcome) {
    switch outcome {
    case .absent: state = .gone
    case .lost: state = .failed(Self.lostBefore + kept)
    case .failed(let failure):
      self.failure = failure
      state = .failed(Self.unreadBefore + kept + " " + failure.sentence)
    case .found(let fact):
      before = fact
      let content = FactContent(fact)
      let expected = FactContent(overwriting?.theirs ?? draft.base)
      if content == requested {
        state = .stored(fact, cut: [])
      } else if content == expected {
        state = .sending
      } else {
        state = .conflict(theirs: fact)
      }
    }
  }

  // MARK: After the PUT

  private mutating func takeReply(_ result: Result<RestAnswer, RestFailure>) {
    switch result {
    case .success(let answer) where answer.isSuccess:
      guard let json = try? JSONValue.parse(answer.body), let reply = FactReply(json),
        reply.ok != false, let fact = reply.fact, fact.id == factID
      else {
        return startVerifying("The backend answered with something that cannot be understood.")
      }
      store(fact)
    case .success(let answer):
      let refusal = FactRefusal(status: answer.status, body: ErrorBody(body: answer.body))
      switch refusal {
      case .notFound: state = .gone
      case .other(let status) where status >= 500 || status == 408:
        startVerifying("The backend failed (\(status)).")
      default: state = .refused(refusal)
      }
    case .failure(let failure):
      self.failure = .unanswered(failure)
      if !failure.mayHaveArrived || failure.failure.isRefusal {
        state = .failed(failure.description + " " + Self.nothingStored + kept)
      } else {
        startVerifying(failure.failure.sentence)
      }
    }
  }

  private mutating func store(_ fact: Fact) {
    let content = FactContent(fact)
    isConfidenceClamped = content.confidence != requested.confidence
    state = .stored(fact, cut: content.differences(from: requested))
  }

  private mutating func startVerifying(_ doubt: String) {
    self.doubt = doubt
    state = .verifying
    lookup = FactRefetch(
      factID: factID, target: draft.edit.target,
      subjects: [requested.subject, before?.subject ?? ""],
      texts: [requested.fact, before?.fact ?? ""])
  }

  private mutating func verify(_ outcome: FactRefetch.Outcome) {
    switch outcome {
    case .found(let fact):
      let content = FactContent(fact)
      if content == requested {
        state = .stored(fact, cut: [])
      } else if let before, content == FactContent(before) {
        state = .failed(doubt + " " + Self.notArrived + kept)
      } else {
        state = .conflict(theirs: fact)
      }
    case .absent: state = .gone
    case .lost: state = .unknown(doubt + " " + Self.lostAfter + kept)
    case .failed(let failure):
      state = .unknown(doubt + " " + Self.unreadAfter + kept + " " + failure.sentence)
    }
  }
}

extension LinkFailure {
  /// Whether this answer means that a change was certainly not carried out, although something
  /// took the request.
  var isRefusal: Bool {
    switch self {
    case .unauthorized, .loginInFront, .forbidden, .hidden, .noRoute, .tokenRequiredByServer,
      .rateLimited,
      .notClanky(.wrongPath), .refused,
      .unknownHost, .unreachable, .tls, .proxy, .timedOut(.connect), .timedOut(.handshake):
      true
    // A proxy that times out (408) may sit in front of a backend that does not.
    case .requestRejected(let status, _): status != 408
    case .notClanky(.html(let status)): (400..<500).contains(status) && status != 408
    default: false
    }
  }
}

extension FactChange {
  /// A change in an arbitrary state, for tests of its display.
  init(_ draft: FactDraft, state: State) {
    self.init(draft)
    self.state = state
  }
}
