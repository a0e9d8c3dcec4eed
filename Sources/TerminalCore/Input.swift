/// The keys held down with another one.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// The bits of xterm's modifier code, which is one more than these.
  package let rawValue: UInt8
  /// Modifiers from their bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Shift, if the terminal reports it; letters arrive in upper case instead.
  package static let shift = KeyModifiers(rawValue: 1)
  /// Alt, Option or Meta: an ESC before the key.
  package static let alt = KeyModifiers(rawValue: 2)
  /// Control.
  package static let ctrl = KeyModifiers(rawValue: 4)
}

/// A key, as far as terminals distinguish keys.
package enum Key: Hashable, Sendable {
  /// A printable character; one scalar, upper case when Shift was held.
  case char(Character)
  case enter, tab, escape, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  case function(Int)
}

/// A mouse event. Buttons: 0 left, 1 middle, 2 right.
package enum MouseKind: Hashable, Sendable {
  case down(Int)
  case up(Int)
  case drag(Int)
  case move
  case wheelUp, wheelDown, wheelLeft, wheelRight
}

/// An answer of the terminal to a question of ours.
package enum TerminalReply: Hashable, Sendable {
  /// OSC 11: the background colour, 0xRRGGBB.
  case backgroundColor(UInt32)
  /// DECRPM: a private mode and its setting, where 1...3 mean that the terminal knows the mode.
  case mode(Int, setting: Int)
  /// DA1: the terminal's class and features. Every terminal answers it: the sentinel.
  case deviceAttributes([Int])
  /// Mode 2031: the desktop has changed between dark and light.
  case colorScheme(isDark: Bool)
  /// DSR 5: how the terminal is; 0 is well.
  case status(Int)
  /// A response to a query that this program does not send.
  case other
}

/// Something that came from the terminal.
package enum InputEvent: Hashable, Sendable {
  case key(Key, KeyModifiers)
  /// The key is held, where `InputParser.reportsReleases` asks for it.
  case keyRepeated(Key, KeyModifiers)
  /// The key was let go, where `InputParser.reportsReleases` asks for it.
  case keyReleased(Key, KeyModifiers)
  /// Pasted text with LF line ends: data, never keys. Not sanitised.
  case paste(String)
  /// Nothing more comes of a paste that has not ended. Until it ends everything is pasted; a Ctrl-C
  /// that comes alone ends it.
  case pasteStalled
  /// Zero-based cell.
  case mouse(MouseKind, column: Int, row: Int, KeyModifiers)
  case focus(Bool)
  case reply(TerminalReply)
  /// One sequence that is not known here, or bytes that are no text; of a long one the first 1024.
  case unknown([UInt8])
}

/// One press of a key.
package struct KeyPress: Hashable, Sendable {
  /// The key itself.
  package var key: Key
  /// The modifiers held with it.
  package var modifiers: KeyModifiers

  /// A press of a key, alone or with modifiers.
  package init(_ key: Key, _ modifiers: KeyModifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}
