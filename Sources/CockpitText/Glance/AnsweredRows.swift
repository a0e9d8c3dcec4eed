import ClankyWire
import CockpitStores

/// The rows of one answer of `GET /api/actions`.
@MainActor
package struct AnsweredRows {
  /// The rows; of a long answer the newest that fit into 16 MB. Its totals count all of them.
  package var log: ActionLog { store.log }
  /// The number of elements of the list, unreadable ones included.
  package let elements: Int

  private let store: ActivityStore

  /// Reads a body; nil if it is no complete list.
  package init?(_ body: [UInt8], nowMs: Int64) {
    let isList = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
    guard isList else { return nil }
    store = ActivityStore(memory: 16 << 20)
    let report = body.withUnsafeBytes { [store] in store.applyRows($0, nowMs: nowMs) }
    guard report.isComplete else { return nil }
    elements = report.count + report.rejected
  }
}
