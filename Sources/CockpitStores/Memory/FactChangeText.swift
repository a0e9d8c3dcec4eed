internal import Networking
internal import ClankyWire

/// Messages about a change. They may contain untrusted text of the backend, so they are sanitised
/// when drawn.
extension FactChange {
  static let nothingStored = "Nothing was stored."
  static let lostBefore =
    "The fact could not be found again among more facts than the backend lists, so nothing was "
    + "sent; reload and try again."
  static let unreadBefore = "The fact could not be read again, so nothing was sent."
  static let notArrived =
    "The change did not arrive: the old text is still there. It may yet arrive late; reload before "
    + "you send it again."
  static let lostAfter =
    "Whether the change was stored is unknown: the fact could not be found again; reload and compare."
  static let unreadAfter =
    "Whether the change was stored is unknown: the fact could not be read again; reload and compare."

  static let looksAlike = " The texts look alike, but are spelled with other Unicode characters."

  static func holdsToken(_ field: FactProblem.Field) -> String {
    "The \(field.rawValue) holds the dashboard token, which is shown as \(TokenText.standIn); nothing was "
      + "sent, since the edit would put these letters in its place. Write it without them, or delete the fact."
  }

  /// Said where nothing was stored.
  var kept: String {
    switch keeping {
    case .disk: " The draft is kept."
    case .memory: " The draft is in memory only."
    case .none: ""
    }
  }

  /// What happened and what to do, one sentence or two.
  package var sentence: String {
    switch state {
    case .waiting:
      "Another clanky-cockpit is changing this fact; this change waits until it has ended."
    case .checking: "The fact is being read again before anything is sent."
    case .sending: "The change is being sent."
    case .verifying: doubt + " The fact is being read to find out whether the change was stored."
    case .conflict(let theirs):
      (wasSent
        ? "The outcome of the change is unknown, and the fact now reads differently; compare both "
          + "texts and decide."
        : "Somebody changed the fact meanwhile, nothing was sent; compare both texts and decide.")
        + (FactContent(theirs).looksLike(FactContent(draft.edit)) ? Self.looksAlike : "")
    case .gone:
      (wasSent
        ? "The fact is gone or belongs to another guild, nothing was stored; reload."
        : "The fact is gone, nothing was stored.") + kept
    case .refused(let refusal): refusal.description + kept
    case .failed(let sentence), .unknown(let sentence): sentence
    case .stored(let fact, let cut):
      storedSentence(cut)
        + (FactContent(fact).looksLike(FactContent(draft.edit)) ? Self.looksAlike : "")
    }
  }

  private func storedSentence(_ cut: [FactProblem.Field]) -> String {
    var changed = cut.map { "the \($0.rawValue)" }
    if isConfidenceClamped { changed.append("the confidence") }
    if !changed.isEmpty {
      let draft =
        switch keeping {
        case .disk: ", the draft is kept"
        case .memory: ", the draft is in memory only"
        case .none: ""
        }
      return
        "Stored, but the backend changed \(changed.joined(separator: " and ")); compare\(draft)."
    }
    return wasSent ? "Stored." : "The fact already says this; nothing had to be sent."
  }

  /// Whether the backend stored exactly what was requested.
  package var isStoredExactly: Bool {
    if case .stored(_, let cut) = state { cut.isEmpty && !isConfidenceClamped } else { false }
  }

  /// The outcome for the journal; nil while it is under way.
  var outcome: JournalEntry.Outcome? {
    switch state {
    case .waiting, .checking, .sending, .verifying: nil
    case .conflict: wasSent ? .unknown : .conflict
    case .gone: .gone
    case .refused(.duplicate), .refused(.collision): .duplicate
    case .refused: .refused
    case .failed: .failed
    case .unknown: .unknown
    case .stored: .stored
    }
  }
}
