import TerminalCore

extension TerminalSession {
  /// Leaves the alternate screen and prints lines on the primary one, unwrapped, so that the
  /// terminal's selection and scrollback work on them. Any key returns; until then mouse, paste and
  /// focus modes are off.
  ///
  /// - Parameters:
  ///   - lines: what to print.
  ///   - whenDone: called after a key, when the screen is back. Not called if the session is suspended
  ///     or closed instead.
  package func showPlain(_ lines: [PlainText], whenDone: @escaping @MainActor () -> Void) {
    guard !isClosed, loan == nil, whenPlainEnds == nil else { return }
    whenPlainEnds = whenDone
    endFlash()
    output.send(
      (parser.reportsReleases ? TerminalSequences.releasesOff : "")
        + TerminalSequences.mouse(false, abilities) + TerminalSequences.leave(abilities))
    output.send(screen.leave())
    var text = ""
    // In raw mode LF does not return the cursor to the first column.
    for line in lines { text += readable(line).description + "\r\n" }
    output.send("\r" + text + "\r\n" + Self.keyQuestion)
  }

  static let keyQuestion = "-- any key goes back to clanky-cockpit --"

  /// Text reduced to ASCII if the locale names an encoding other than UTF-8: there a UTF-8 byte may act
  /// as a C1 control (promise P1).
  func readable(_ text: PlainText) -> PlainText {
    suggestedSymbols == .ascii ? text.asciiOnly : text
  }

  /// Returns from the plain screen after a key.
  func endPlain() {
    guard let done = whenPlainEnds else { return }
    output.send("\r\u{1B}[K")  // erase the prompt
    takeAgain()
    done()
  }
}
