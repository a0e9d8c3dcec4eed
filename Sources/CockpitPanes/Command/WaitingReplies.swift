import ClankyWire
import CockpitStores
import LenientJSON

/// The messages that were admitted and have no outcome yet: the rows behind the number of waiting replies, which
/// the backend gives without saying whose they are.
struct WaitingReplies: Hashable, Sendable {
  /// Their admissions, newest first.
  private(set) var rows: [RowID] = []
  private var revision: Int?
  private var readMs: Int64 = 0

  /// Rows that are looked at.
  private static let reach = 600
  /// How often at most they are looked at, in ms.
  private static let intervalMs: Int64 = 1000
  private static let ends: Set<String> = [
    "sent_reply", "sent_message", "reply_skipped", "reacted", "text_runtime",
  ]

  /// Looks for them where some wait.
  @MainActor mutating func follow(_ log: ActionLog, pending: Int?, nowMs: Int64) {
    guard let pending, pending > 0 else {
      rows = []
      revision = nil
      return
    }
    guard revision != log.revision, revision == nil || abs(nowMs - readMs) >= Self.intervalMs else {
      return
    }
    revision = log.revision
    readMs = nowMs
    var ended: Set<String> = []
    rows = []
    for place in 0..<min(log.count, Self.reach) {
      let view = log.row(at: place)
      guard Self.ends.contains(view.kind), !view.isGap, !view.isOfFormerLog else { continue }
      let metadata = view.metadata()
      let triggers = RowTriggers.ids(
        kind: view.kind, messageID: view.messageID, metadata: metadata)
      guard view.kind == "text_runtime" else {
        ended.formUnion(triggers)
        continue
      }
      if metadata["allow"]?.bool == false {
        ended.formUnion(triggers)
      } else if view.label.event == "reply_admission_decision",
        ended.isDisjoint(with: triggers), !triggers.isEmpty
      {
        rows.append(view.id)
        ended.formUnion(triggers)
      }
      if rows.count == pending { return }
    }
  }
}
