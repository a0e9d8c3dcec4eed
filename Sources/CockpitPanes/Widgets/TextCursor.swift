import TerminalUI

/// A cursor on a line of a text and how far the text is scrolled.
package typealias TextCursor = ListCursor<Never>
