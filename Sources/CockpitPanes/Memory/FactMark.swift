import ClankyWire
import CockpitStores
import TerminalCore

/// A pending or unfinished change of a fact: one character in its row, a sentence in its detail.
enum FactMark: Hashable {
  /// Will be deleted in this many seconds.
  case held(seconds: Int)
  case deleting
  case underWay(PlainText)
  /// An outcome that needs a decision or acknowledgement.
  case failed(PlainText)
  case stored(PlainText)
  case draft
  /// A draft that is lost with the program.
  case unsavedDraft
  /// A draft of a fact that is in no list.
  case strayDraft(isGone: Bool)
  case selected

  @MainActor init?(_ id: Int, _ facts: ViewContext, selection: Set<Int>) {
    let store = facts.memory
    if let held = store.deletions.last(where: { deletion in
      (deletion.state == .held || deletion.state == .sending)
        && deletion.facts.contains { $0.id == id }
    }) {
      self = held.state == .held ? .held(seconds: held.secondsLeft(facts.monotonicNs)) : .deleting
      return
    }
    if let change = store.changes[id] {
      self = Self.mark(of: change, facts.keys)
      return
    }
    if let draft = store.drafts[id] {
      if store.unsavedDrafts.contains(id) {
        self = .unsavedDraft
      } else {
        self = store.isGone(draft).map(FactMark.strayDraft) ?? .draft
      }
    } else if selection.contains(id) {
      self = .selected
    } else {
      return nil
    }
  }

  private static func mark(of change: FactChange, _ keys: KeyTable) -> FactMark {
    let sentence = PlainText(change.sentence, limit: 400)
    return switch change.state {
    case .waiting, .checking, .sending, .verifying: .underWay(sentence)
    case .conflict: .failed(sentence + " " + keys.text(.edit) + " shows both.")
    case .gone, .refused, .failed, .unknown: .failed(sentence)
    case .stored: .stored(sentence)
    }
  }

  var letter: PlainText {
    switch self {
    case .held, .deleting: "D"
    case .underWay: "^"
    case .failed: "!"
    case .stored: "+"
    case .draft, .unsavedDraft, .strayDraft: "~"
    case .selected: "*"
    }
  }

  var role: Role {
    switch self {
    case .held, .deleting, .failed: .negative
    case .underWay: .info
    case .stored: .positive
    case .draft, .unsavedDraft, .strayDraft: .warning
    case .selected: .focus
    }
  }

  /// A word or two at the end of the row.
  func short(_ keys: KeyTable) -> PlainText? {
    switch self {
    case .held(let seconds): PlainText("\(seconds)s \(keys.text(.undo)) undo")
    case .deleting: "deleting"
    case .underWay: "sending"
    case .failed: "failed"
    case .stored: "stored"
    case .draft: "draft"
    case .unsavedDraft: "unsaved"
    case .strayDraft(let isGone): isGone ? "gone" : "not listed"
    case .selected: nil
    }
  }

  /// The whole story, for the detail.
  func sentence(_ keys: KeyTable) -> PlainText? {
    switch self {
    case .held(let seconds):
      PlainText("deleted in \(seconds) s; ") + keys.text(.undo) + " takes it back, "
        + keys.text(.sendHeld) + " deletes now"
    case .deleting: "the deletion is on its way and cannot be taken back"
    case .underWay(let text), .failed(let text), .stored(let text): text
    case .draft: "a draft is kept; " + keys.text(.edit) + " goes on with it"
    case .unsavedDraft:
      "a draft is in memory only, it could not be written; " + keys.text(.edit) + " goes on with it"
    case .strayDraft(let isGone):
      (isGone ? "the fact is gone" : "the backend does not list the fact")
        + "; this is your draft of it, " + keys.text(.edit) + " opens the text"
    case .selected: nil
    }
  }
}

extension HeldDeletion {
  /// Whole seconds until the requests go out, on the monotonic clock in ns.
  func secondsLeft(_ nowNs: UInt64) -> Int {
    dueNs > nowNs ? Int(min((dueNs - nowNs) / 1_000_000_000 + 1, 3600)) : 0
  }
}
