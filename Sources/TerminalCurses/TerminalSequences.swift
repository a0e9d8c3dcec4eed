import CTermSupport
import TerminalCore

/// The control sequences written besides what ncurses writes (xterm's ctlseqs). Which of them a terminal
/// gets is for `TerminalAbilities` to say.
enum TerminalSequences {
  /// Bracketed paste, focus events, and notice when the desktop changes between dark and light.
  private static let enter = "\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?2031h"
  private static let leave = "\u{1B}[?2031l\u{1B}[?1004l\u{1B}[?2004l"
  /// Buttons, dragging and the wheel, with SGR coordinates; no motion without a button.
  private static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l"
  /// What an editor or a pager that was killed may have left on.
  private static let otherMouseOff = "\u{1B}[?1003l\u{1B}[?1000l"
  static let beginFrame = "\u{1B}[?2026h"
  static let endFrame = "\u{1B}[?2026l"
  /// DECSCNM: light and dark change places on the whole screen.
  static let reverseOn = "\u{1B}[?5h"
  static let reverseOff = "\u{1B}[?5l"
  static let pushTitle = "\u{1B}[22;2t"
  static let popTitle = "\u{1B}[23;2t"
  /// DSR 5, which a terminal that is well answers with 0.
  static let lifeQuestion = "\u{1B}[5n"

  static func enter(_ abilities: TerminalAbilities) -> String { abilities.hasModes ? enter : "" }
  static func leave(_ abilities: TerminalAbilities) -> String { abilities.hasModes ? leave : "" }

  static func mouse(_ isOn: Bool, _ abilities: TerminalAbilities) -> String {
    guard abilities.hasMouse else { return "" }
    return isOn ? mouseOn : mouseOff
  }

  /// Background colour, mode 2026, and last what every terminal answers that is asked at all.
  static func questions(_ questions: TerminalAbilities.Questions) -> String {
    let background = "\u{1B}]11;?\u{1B}\\"
    let attributes = "\u{1B}[c"
    return switch questions {
    case .none: ""
    case .withoutModes: background + attributes
    case .all: background + "\u{1B}[?2026$p" + attributes
    }
  }

  /// Undoes everything without ncurses: ends a string or a frame that may be half written, then
  /// modes, scroll region, character set, attributes, wrapping, cursor, keypad, alternate screen.
  static func emergency(_ abilities: TerminalAbilities) -> String {
    let frame = abilities.questions == .all ? endFrame : ""
    let reverse = abilities.hasFlash ? reverseOff : ""
    let mouse = abilities.hasMouse ? mouseOff + otherMouseOff : ""
    return "\u{1B}\\" + frame + reverse + mouse + leave(abilities)
      + "\u{1B}[r\u{1B}(B\u{0F}\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1l\u{1B}>\u{1B}[?1049l"
  }
}

/// For a terminal that was left as it was: after SIGKILL no handler runs.
package enum TerminalReset {
  /// What to write to the terminal.
  package static let sequence =
    TerminalSequences.emergency(TerminalAbilities(.xterm, terminfo: nil))
    + TerminalSequences.popTitle + "\u{1B}[!p\r\u{1B}[K"

  /// Brings back line editing and echo, as `stty sane` does. False when it is not a terminal.
  package static func makeSane(_ descriptor: Int32) -> Bool {
    cterm_make_sane(descriptor)
  }
}
