import CTermSupport
import TerminalCore

/// Control sequences written in addition to ncurses' own (xterm ctlseqs). `TerminalAbilities` decides
/// which a terminal receives.
enum TerminalSequences {
  /// Bracketed paste, focus events, and reports of the desktop's colour scheme.
  private static let enter = "\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?2031h"
  private static let leave = "\u{1B}[?2031l\u{1B}[?1004l\u{1B}[?2004l"
  /// Buttons, dragging and the wheel, with SGR coordinates; no motion without a button.
  private static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l"
  /// Modes a killed editor or pager may have left on.
  private static let otherMouseOff = "\u{1B}[?1003l\u{1B}[?1000l"
  /// kitty's keyboard protocol, on the stack of the screen: sequences that are not ambiguous, with releases.
  static let releasesOn = "\u{1B}[>3u"
  static let releasesOff = "\u{1B}[<u"
  static let beginFrame = "\u{1B}[?2026h"
  static let endFrame = "\u{1B}[?2026l"
  /// DECSCNM: reverse video for the whole screen.
  static let reverseOn = "\u{1B}[?5h"
  static let reverseOff = "\u{1B}[?5l"
  static let pushTitle = "\u{1B}[22;2t"
  static let popTitle = "\u{1B}[23;2t"
  /// DSR 5; a working terminal answers 0.
  static let statusQuery = "\u{1B}[5n"

  static func enter(_ abilities: TerminalAbilities) -> String { abilities.hasModes ? enter : "" }
  static func leave(_ abilities: TerminalAbilities) -> String { abilities.hasModes ? leave : "" }

  static func mouse(_ isOn: Bool, _ abilities: TerminalAbilities) -> String {
    guard abilities.hasMouse else { return "" }
    return isOn ? mouseOn : mouseOff
  }

  /// Background colour, mode 2026, and last DA1, which every queried terminal answers.
  static func questions(_ questions: TerminalAbilities.Questions) -> String {
    let background = "\u{1B}]11;?\u{1B}\\"
    let attributes = "\u{1B}[c"
    return switch questions {
    case .none: ""
    case .withoutModes: background + attributes
    case .all: background + "\u{1B}[?2026$p" + attributes
    }
  }

  /// Restores the terminal without ncurses: ends a partial string or frame, then resets modes, scroll
  /// region, character set, attributes, wrapping, cursor, keypad and alternate screen.
  static func emergency(_ abilities: TerminalAbilities) -> String {
    let frame = abilities.questions == .all ? endFrame : ""
    let reverse = abilities.hasFlash ? reverseOff : ""
    let mouse = abilities.hasMouse ? mouseOff + otherMouseOff : ""
    return "\u{1B}\\" + frame + reverse + mouse + leave(abilities)
      + "\u{1B}[r\u{1B}(B\u{0F}\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1l\u{1B}>\u{1B}[?1049l"
  }
}

/// Repairs a terminal left in raw state: after SIGKILL no handler runs.
package enum TerminalReset {
  /// The bytes to write to the terminal.
  package static let sequence =
    TerminalSequences.emergency(TerminalAbilities(.xterm, terminfo: nil))
    + TerminalSequences.popTitle + "\u{1B}[!p\r\u{1B}[K"

  /// Restores line editing and echo, as `stty sane` does. False if it is not a terminal.
  package static func makeSane(_ descriptor: Int32) -> Bool {
    cterm_make_sane(descriptor)
  }
}
