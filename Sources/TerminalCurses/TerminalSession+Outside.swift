import Dispatch
import Foundation
import TerminalCore

/// How text went to the clipboard.
package enum CopyRoute: Hashable, Sendable {
  /// OSC 52: the terminal decides, and does not say.
  case terminal
  /// OSC 52 through tmux, which must have `set-clipboard on`.
  case multiplexer
  /// More than terminals take; nothing was copied.
  case tooLong(limit: Int)
}

extension TerminalSession {
  /// What most terminals take in one OSC 52, in bytes of text before base64.
  private static let longestCopy = 74_000

  private var isInTmux: Bool { !(options.environment["TMUX"] ?? "").isEmpty }

  /// Puts text on the clipboard of the machine the terminal runs on. Base64, so nothing in the
  /// text can end the sequence.
  @discardableResult
  package func copy(_ text: String) -> CopyRoute {
    let bytes = Data(text.utf8)
    guard bytes.count <= Self.longestCopy else { return .tooLong(limit: Self.longestCopy) }
    let sequence = "\u{1B}]52;c;\(bytes.base64EncodedString())\u{1B}\\"
    output.send(sequence)
    guard isInTmux else { return .terminal }
    output.send(Self.throughTmux(sequence))
    return .multiplexer
  }

  /// Shows a notification of the desktop: OSC 9 where that is known, OSC 777 elsewhere, and a bell
  /// in tmux, which usually keeps both to itself.
  package func notify(title: PlainText, body: PlainText) {
    let title = title.cut(to: 60).description.replacing(";", with: ",")
    let body = body.cut(to: 200).description.replacing(";", with: ",")
    let program = options.environment["TERM_PROGRAM"] ?? ""
    let knowsNine = ["iTerm.app", "WezTerm", "ghostty", "vscode"].contains(program)
    let sequence =
      knowsNine
      ? "\u{1B}]9;\(title): \(body)\u{1B}\\" : "\u{1B}]777;notify;\(title);\(body)\u{1B}\\"
    output.send(isInTmux ? Self.throughTmux(sequence) + "\u{07}" : sequence)
  }

  /// Sets the window title to words of this program, and a number. A `StaticString`, so that no
  /// text of a stranger can get there: some terminals can be made to type their title.
  package func setTitle(_ title: StaticString, count: Int? = nil) {
    let words = title.description.unicodeScalars.filter {
      $0.isASCII && $0.value >= 0x20 && $0 != "\u{7F}"
    }
    var text = String(String.UnicodeScalarView(words))
    if let count { text += " (\(count))" }
    if !hasTitle {
      hasTitle = true
      output.send(TerminalSequences.pushTitle)
      arm()
    }
    output.send("\u{1B}]2;\(text)\u{1B}\\")
  }

  /// Takes the mouse, or leaves it to the terminal for selecting text.
  package func setMouse(_ isOn: Bool) {
    guard hasMouse != isOn else { return }
    hasMouse = isOn
    output.send(isOn ? TerminalSequences.mouseOn : TerminalSequences.mouseOff)
  }

  /// tmux passes on what is wrapped, with every ESC doubled (`allow-passthrough`).
  private static func throughTmux(_ sequence: String) -> String {
    "\u{1B}Ptmux;" + sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
  }
}
