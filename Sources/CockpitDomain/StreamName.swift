/// The two event streams of the backend (wire contract section 2).
package enum StreamName: String, Sendable, CaseIterable {
  /// `/api/activity/events`: every action, the statistics, and a snapshot on connect.
  case activity
  /// `/api/voice/events`: voice actions and the voice state.
  case voice

  /// The path below the base URL.
  package var path: [String] { ["api", rawValue, "events"] }
}
