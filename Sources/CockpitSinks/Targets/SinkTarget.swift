package import CockpitHistory

/// A far end. Used on the thread of its sink alone, so it may block.
package protocol SinkTarget: AnyObject {
  /// Delivers rows. It is called again with the same rows, or with a part of them, until they are accepted or parked.
  ///
  /// - Parameters:
  ///   - rows: in the order of arrival; empty to do what is due.
  ///   - nowMs: our time, in ms since 1970.
  func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer

  /// Whether it has something to do without rows.
  func isDue(nowMs: Int64) -> Bool

  /// Whether it takes ids that become known after their rows were delivered.
  var wantsIDs: Bool { get }

  /// Delivers ids of rows that it has had already.
  ///
  /// - Parameter rows: with their ids, otherwise as they are now.
  func learn(_ rows: ArraySlice<SinkRow>) -> SinkAnswer

  /// Whether it takes what rules found.
  var wantsIncidents: Bool { get }

  /// Delivers what rules found. They may come again after a failure.
  func report(_ incidents: ArraySlice<SinkIncident>, nowMs: Int64) -> SinkAnswer

  /// The place before rows that it holds back, because they are not complete; nil if it holds none.
  var held: SequencePlace? { get }

  /// What it keeps beside the place, as JSON: kept in the same transaction. Empty if nothing.
  var state: String { get }

  /// Called once, with what it kept last, before the first rows.
  func begin(state: String)

  /// Delivers what it holds: there are no more rows.
  func finish(nowMs: Int64) -> SinkAnswer
}

extension SinkTarget {
  package func isDue(nowMs: Int64) -> Bool { false }
  package var wantsIDs: Bool { false }
  package func learn(_ rows: ArraySlice<SinkRow>) -> SinkAnswer { .accepted() }
  package var wantsIncidents: Bool { false }
  package func report(_ incidents: ArraySlice<SinkIncident>, nowMs: Int64) -> SinkAnswer {
    .accepted()
  }
  package var held: SequencePlace? { nil }
  package var state: String { "" }
  package func begin(state: String) {}
  package func finish(nowMs: Int64) -> SinkAnswer { .accepted() }
}
