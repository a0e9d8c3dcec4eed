import CockpitText
import TerminalCore

/// An entry of the copy menu: data, never their rendering.
package struct CopyItem: Hashable, Sendable {
  /// In the order of the menu; the key chooses it.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A line of text as a person would quote it.
    case row = "y"
    case json = "j"
    case id = "i"
    /// The path and the value under the cursor of a tree, as `metadata.model=claude`.
    case pathValue = "p"
    /// A link to the message or channel in Discord.
    case url = "u"
    /// A request for curl, without the token.
    case curl = "c"
    /// A filter that finds it again.
    case query = "q"
    /// A command line that shows it again.
    case permalink = "l"
  }

  package var kind: Kind
  /// Exactly as the backend sent it, without characters that act where they are pasted (wire
  /// contract 9.5).
  package var text: String

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = kind == .json ? PasteSafe.json(text) : PasteSafe.text(text)
  }
}
