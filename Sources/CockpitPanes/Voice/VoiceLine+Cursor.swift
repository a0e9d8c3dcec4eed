import TerminalUI

extension [VoiceLine] {
  /// The lines as a cursor sees them.
  ///
  /// - Parameters:
  ///   - height: lines in sight.
  ///   - end: where what is new comes in.
  func list(height: Int, end: CursorList<VoiceItem>.End) -> CursorList<VoiceItem> {
    CursorList(count: count, height: Swift.max(1, height), rest: .following(end)) { self[$0].item }
  }
}
