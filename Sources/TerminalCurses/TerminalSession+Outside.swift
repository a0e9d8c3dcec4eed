import Dispatch
import Foundation
internal import MainLoop
import TerminalCore

/// How text went to the clipboard.
package enum CopyRoute: Hashable, Sendable {
  /// OSC 52: the terminal decides whether to accept it, without feedback.
  case terminal
  /// OSC 52 through tmux, which needs `set-clipboard on`.
  case multiplexer
  /// OSC 52 through GNU screen, wrapped.
  case screen
  /// The terminal is not known to support OSC 52; nothing was copied.
  case notHere
  /// Longer than terminals accept; nothing was copied. `limit` in bytes.
  case tooLong(limit: Int)
}

extension TerminalSession {
  /// The longest text that most terminals accept in one OSC 52, in bytes before base64.
  package static let longestCopy = 74_000

  /// Whether tmux is between this program and the terminal.
  package var isInTmux: Bool { screen.identity.kind == .tmux }

  /// Copies text to the clipboard of the machine the terminal runs on. Base64, so that the text cannot
  /// end the sequence.
  @discardableResult
  package func copy(_ text: String) -> CopyRoute {
    guard abilities.clipboard != .none else { return .notHere }
    let bytes = Data(text.utf8)
    guard bytes.count <= Self.longestCopy else { return .tooLong(limit: Self.longestCopy) }
    let sequence = "\u{1B}]52;c;\(bytes.base64EncodedString())"
    output.send(sequence + "\u{1B}\\")
    switch abilities.clipboard {
    case .none, .direct: return .terminal
    case .throughTmux:
      output.send(Self.throughTmux(sequence + "\u{1B}\\"))
      return .multiplexer
    case .throughScreen:
      output.send(Self.throughScreen(sequence + "\u{07}"))
      return .screen
    }
  }

  /// Shows a desktop notification. An unknown terminal gets OSC 777 and a bell; so does tmux, which
  /// drops the sequence unless `allow-passthrough` is on. A terminal known to support none gets a
  /// bell, unless a route is requested.
  ///
  /// - Parameters:
  ///   - title: cut to 60 columns.
  ///   - body: cut to 200 columns.
  ///   - requested: the route to use; nil chooses by the terminal.
  /// - Returns: the route used.
  @discardableResult
  package func notify(
    title: PlainText, body: PlainText, via requested: NotificationRoute? = nil
  ) -> NotificationRoute {
    let own: NotificationRoute? =
      abilities.notifications == .none
      ? .bell : NotificationRoute(environment: options.environment)
    let known = requested ?? own
    let route = known ?? .osc777
    // A semicolon separates fields.
    let title = readable(title.cut(to: 60)).description.replacing(";", with: ",")
    let body = readable(body.cut(to: 200)).description.replacing(";", with: ",")
    let sequences: [String] =
      switch route {
      case .osc9: ["\u{1B}]9;\(title): \(body)\u{1B}\\"]
      case .osc99:
        [
          "\u{1B}]99;i=clanky:d=0:p=title;\(title)\u{1B}\\",
          "\u{1B}]99;i=clanky:d=1:p=body;\(body)\u{1B}\\",
        ]
      case .osc777: ["\u{1B}]777;notify;\(title);\(body)\u{1B}\\"]
      case .bell: []
      }
    for sequence in sequences { output.send(isInTmux ? Self.throughTmux(sequence) : sequence) }
    if route == .bell || isInTmux || known == nil { ring() }
    return route
  }

  /// Rings the terminal's bell.
  package func ring() { output.send("\u{07}") }

  /// Shows the screen in reverse video for 100 ms (DECSCNM, as terminfo's `flash`).
  package func flash() {
    guard abilities.hasFlash else { return ring() }
    guard isReadyForFrame, flashTimer == nil else { return }
    output.send(TerminalSequences.reverseOn)
    flashTimer = timer(after: .milliseconds(100)) { $0.endFlash() }
  }

  func endFlash() {
    guard let timer = flashTimer else { return }
    timer.unset()
    flashTimer = nil
    output.send(TerminalSequences.reverseOff)
  }

  /// Sets the window title if it differs. The previous title is pushed first and restored with the
  /// terminal.
  package func setTitle(_ title: TitleText) {
    guard abilities.hasTitle, title != shownTitle else { return }
    if shownTitle == nil {
      pushTitle()
    }
    shownTitle = title
    arm()
    sendTitle()
  }

  func sendTitle() {
    guard let shownTitle else { return }
    output.send("\u{1B}]2;\(shownTitle.text)\u{1B}\\")
  }

  /// Turns mouse reporting on, or off so that the terminal can select text.
  package func setMouse(_ isOn: Bool) {
    guard hasMouse != isOn else { return }
    hasMouse = isOn
    output.send(TerminalSequences.mouse(isOn, abilities))
  }

  /// Asks the terminal to report when a key is let go. One that does not know this goes on as before.
  package func setKeyReleases(_ isOn: Bool) {
    guard parser.reportsReleases != isOn, abilities.hasModes else { return }
    parser.reportsReleases = isOn
    arm()
    output.send(isOn ? TerminalSequences.releasesOn : TerminalSequences.releasesOff)
  }

  /// Wraps a sequence in DCS for GNU screen to pass through, in pieces: its strings are limited to 768
  /// bytes. Only the first byte of `sequence` may be ESC.
  private static func throughScreen(_ sequence: String) -> String {
    let bytes = Array(sequence.utf8)
    return stride(from: 0, to: bytes.count, by: 512).map { start in
      let piece = bytes[start..<min(bytes.count, start + 512)]
      return "\u{1B}P" + String(decoding: piece, as: UTF8.self) + "\u{1B}\\"
    }.joined()
  }

  /// Wraps a sequence for tmux to pass through, with every ESC doubled (`allow-passthrough`).
  private static func throughTmux(_ sequence: String) -> String {
    "\u{1B}Ptmux;" + sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
  }
}
