import Dispatch
import Foundation
internal import MainLoop
import TerminalCore

/// How text went to the clipboard.
package enum CopyRoute: Hashable, Sendable {
  /// OSC 52: the terminal decides, and does not say.
  case terminal
  /// OSC 52 through tmux, which must have `set-clipboard on`.
  case multiplexer
  /// OSC 52 through GNU screen, wrapped.
  case screen
  /// The terminal is not known to take OSC 52; nothing was copied.
  case notHere
  /// More than terminals take; nothing was copied.
  case tooLong(limit: Int)
}

extension TerminalSession {
  /// What most terminals take in one OSC 52, in bytes of text before base64.
  package static let longestCopy = 74_000

  /// Whether tmux is between this program and the terminal.
  package var isInTmux: Bool { screen.identity.kind == .tmux }

  /// Puts text on the clipboard of the machine the terminal runs on. Base64, so nothing in the
  /// text can end the sequence.
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

  /// Shows a notification of the desktop. Where nothing is known of the terminal it gets OSC 777 and
  /// a bell; so does tmux, which keeps the sequence to itself unless `allow-passthrough` is on. One that
  /// is known to take none gets a bell, unless a sequence was asked for.
  ///
  /// - Parameters:
  ///   - title: at most 60 columns of it are shown.
  ///   - body: at most 200 columns of it are shown.
  ///   - wish: the sequence that was asked for; nil takes what suits the terminal.
  /// - Returns: the sequence that was written.
  @discardableResult
  package func notify(
    title: PlainText, body: PlainText, via wish: NotificationRoute? = nil
  ) -> NotificationRoute {
    let own: NotificationRoute? =
      abilities.notifications == .none
      ? .bell : NotificationRoute(environment: options.environment)
    let known = wish ?? own
    let route = known ?? .osc777
    // A semicolon would begin the next field.
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

  /// Shows the screen in reverse video for a tenth of a second (DECSCNM, as terminfo's `flash`).
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

  /// Sets the window title, unless it is the one that is shown. The title of before is pushed first
  /// and comes back with the terminal.
  package func setTitle(_ title: TitleWords) {
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

  /// Takes the mouse, or leaves it to the terminal for selecting text.
  package func setMouse(_ isOn: Bool) {
    guard hasMouse != isOn else { return }
    hasMouse = isOn
    output.send(TerminalSequences.mouse(isOn, abilities))
  }

  /// screen passes on what is wrapped (DCS), in pieces: its strings hold less than 768 bytes. None of the
  /// bytes may be an ESC but the first.
  private static func throughScreen(_ sequence: String) -> String {
    let bytes = Array(sequence.utf8)
    return stride(from: 0, to: bytes.count, by: 512).map { start in
      let piece = bytes[start..<min(bytes.count, start + 512)]
      return "\u{1B}P" + String(decoding: piece, as: UTF8.self) + "\u{1B}\\"
    }.joined()
  }

  /// tmux passes on what is wrapped, with every ESC doubled (`allow-passthrough`).
  private static func throughTmux(_ sequence: String) -> String {
    "\u{1B}Ptmux;" + sequence.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
  }
}
