import TerminalCore

extension [Size] {
  /// The first and the last size: the one that most people have, and the smallest. Goldens of every state
  /// have these; other sizes are recorded where a layout differs.
  var ends: [Size] { [self[0], self[count - 1]] }
}
