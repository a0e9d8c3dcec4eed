import TerminalCore

extension TerminalSession {
  /// Leaves the alternate screen and prints lines on the ordinary one, whole and unwrapped, so that
  /// the terminal's own selection and scrollback work on them. Any key brings the screen back; the
  /// mouse, pastes and focus are the terminal's until then.
  ///
  /// - Parameters:
  ///   - lines: what to print.
  ///   - whenDone: a key was pressed, and the screen is ours again. A suspension or the end of the
  ///     session come instead of it.
  package func showPlain(_ lines: [PlainText], whenDone: @escaping @MainActor () -> Void) {
    guard !isClosed, loan == nil, whenPlainEnds == nil else { return }
    whenPlainEnds = whenDone
    endFlash()
    output.send(
      TerminalSequences.mouse(false, abilities) + TerminalSequences.leave(abilities))
    output.send(screen.leave())
    var text = ""
    // The line discipline is raw: it does not begin a line anew by itself.
    for line in lines { text += readable(line).description + "\r\n" }
    output.send("\r" + text + "\r\n" + Self.keyQuestion)
  }

  static let keyQuestion = "-- any key goes back to clanky-cockpit --"

  /// Text as the terminal reads it: where its locale names another encoding than UTF-8, a byte of UTF-8
  /// may act on it as a C1 control (promise P1).
  func readable(_ text: PlainText) -> PlainText {
    suggestedSymbols == .ascii ? text.asciiOnly : text
  }

  /// A key was pressed on the plain screen.
  func endPlain() {
    guard let done = whenPlainEnds else { return }
    output.send("\r\u{1B}[K")  // the line about the key is no data
    takeAgain()
    done()
  }
}
