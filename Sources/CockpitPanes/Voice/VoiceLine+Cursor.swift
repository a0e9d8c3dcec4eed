import TerminalUI

extension [VoiceLine] {
  /// The lines as a cursor list.
  ///
  /// - Parameters:
  ///   - height: visible lines.
  ///   - end: where new lines are added.
  func list(height: Int, end: CursorList<VoiceItem>.End) -> CursorList<VoiceItem> {
    CursorList(count: count, height: Swift.max(1, height), rest: .following(end)) { self[$0].item }
  }
}
