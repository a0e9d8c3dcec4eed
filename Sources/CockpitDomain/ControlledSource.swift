/// A source whose agents wait for answers and can be stopped.
@MainActor
package protocol ControlledSource: Source {
  /// Sends an answer to something that waits. `done` is called once, asynchronously.
  func decide(
    _ decision: ControlDecision, done: @escaping @MainActor (ControlOutcome) -> Void)
  /// Stops every live run, denies what waits and cancels questions. `tell` is called when a step is requested
  /// and again, with the same number, when its result is known.
  func stopEverything(_ tell: @escaping @MainActor (ControlStep) -> Void)
  /// Reads something that is shown. The sink receives one `SourceEvent.found` for it, possibly during the call.
  func look(up lookup: GatewayLookup)
  /// The terminal has got or lost the focus.
  func noteFocus(_ hasFocus: Bool)
}

extension ControlledSource {
  package func noteFocus(_ hasFocus: Bool) {}
}

/// An answer to something that waits.
package struct ControlDecision: Hashable, Sendable {
  package enum Choice: Hashable, Sendable {
    /// One of the choices that were offered, as the source spells it.
    case offered(String)
    /// The answers to questions, by the id of each question.
    case answers([String: [String]])
    /// Takes a question back.
    case cancel
    /// Ends a grant.
    case revoke
  }

  package var item: String
  /// The source that it is for, by its name; nil where there is one.
  package var source: String?
  /// Of what the user saw: what has changed since is not answered.
  package var fingerprint: String
  package var choice: Choice

  package init(item: String, source: String? = nil, fingerprint: String, choice: Choice) {
    self.item = item
    self.source = source
    self.fingerprint = fingerprint
    self.choice = choice
  }
}

/// What came of an answer.
package struct ControlOutcome: Hashable, Sendable {
  package var isDone: Bool
  /// One sentence; it may contain remote text.
  package var sentence: String

  package init(isDone: Bool, _ sentence: String) {
    self.isDone = isDone
    self.sentence = sentence
  }
}

/// A step of stopping everything.
package struct ControlStep: Hashable, Sendable {
  package enum State: Hashable, Sendable { case asked, done, failed, impossible }

  /// The same for the request and for its outcome.
  package var number: Int
  package var state: State
  /// What the step is about, and its outcome; it may contain remote text.
  package var sentence: String

  package init(number: Int, state: State, _ sentence: String) {
    self.number = number
    self.state = state
    self.sentence = sentence
  }
}
