import TerminalCore

/// The result of a request of the setup form.
package enum SetupAnswer: Hashable, Sendable {
  /// The backend answered as expected, with a note.
  case works(PlainText)
  /// The bots that announce themselves on the local network, as this tool heard them.
  case bots([FoundBot], tool: String)
  /// Nobody looked for them: this machine has neither of these tools.
  case noTool([String])
  /// What happened, and what to do.
  ///
  /// - Parameter isAboutToken: whether a different token may help.
  case failed(PlainText, advice: PlainText, isAboutToken: Bool = false)
  /// Everything is saved, and the cockpit is connected to it now; where each thing went.
  case saved(PlainText)
  /// Why it could not be saved, or not be used.
  case notSaved(PlainText)
}

/// A bot that announced itself. Anybody on the network can announce anything.
package struct FoundBot: Hashable, Sendable {
  /// `http://HOST:PORT`.
  package var url: String
  package var name: PlainText

  package init(url: String, name: PlainText) {
    self.url = url
    self.name = name
  }
}
