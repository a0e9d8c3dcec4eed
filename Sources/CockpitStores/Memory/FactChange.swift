package import ClankyWire

/// One edit on its way to the backend, from "send" to an outcome that is said in words.
///
/// The backend has no version check (contract 6.3), so it is emulated: the fact is read again, and
/// only when it is still what the form started from does the one PUT go out. A value without I/O:
/// it says which request is next and takes the answers.
package struct FactChange: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// The fact is being read again.
    case checking
    /// The PUT is under way; there is never a second one for the same confirmation.
    case sending
    /// The outcome is not known; the fact is being read to find out.
    case verifying
    /// Somebody changed it meanwhile; nothing was sent. The user decides.
    case conflict(theirs: Fact)
    /// It is there no more; nothing was stored.
    case gone
    /// The backend refused it.
    case refused(FactRefusal)
    /// Nothing was stored, for a reason said as one sentence.
    case failed(String)
    /// It may or may not have been stored, and reading it again did not tell.
    case unknown(String)
    /// The backend confirmed it; `cut` names what it changed on the way, which should be nothing.
    case stored(Fact, cut: [FactProblem.Field])
  }

  package private(set) var state: State
  package let draft: FactDraft

  package init(_ draft: FactDraft) {
    self.draft = draft
    state = .checking
  }
}
