import CTermSupport
import CockpitSession
import Foundation
import QRCode
import TerminalCore

/// A QR code on the terminal, or as text where there is none.
struct QRScreen {
  let environment: Environment
  /// Where it goes: standard error if data is on the other stream.
  var isOnError = false
  var isASCII = false

  private var isTerminal: Bool {
    guard environment.scope == nil, environment.variables["TERM"] != "dumb" else { return false }
    return isOnError ? environment.terminals.error : environment.terminals.output
  }

  /// - Throws: if the text is too long for a code, or the code too large for the terminal.
  func show(_ text: String) throws(Failure) {
    let lines = try drawing(of: text)
    // Black on white by itself: a theme may be light or dark, and a reader wants dark on light. No decoration, so
    // NO_COLOR does not count.
    let ink: QRLines.Ink =
      !isTerminal
      ? .plain : environment.variables["TERM"]?.contains("256") == true ? .indexed : .eight
    for line in lines.lines(ink) {
      let bytes = Array(line.utf8)
      if isOnError {
        environment.output.sequence(bytes + [0x0A])
      } else {
        environment.output.line(bytes)
      }
    }
  }

  /// With as much correction as fits.
  private func drawing(of text: String) throws(Failure) -> QRLines {
    let isPlain =
      isASCII || isTerminal && TextEncoding(environment: environment.variables) != .utf8
    let form: QRLines.Form = isPlain ? .ascii : .halfBlocks
    let drawings = [QRCode.Level.medium, .low].compactMap { level in
      QRCode(Array(text.utf8), level: level).map { QRLines($0, form: form) }
    }
    guard let smallest = drawings.last else {
      throw Failure(.usage, "the text has more than the 2,953 bytes of the largest QR code")
    }
    guard isTerminal, let (rows, columns) = size else { return drawings.first ?? smallest }
    // The prompt that follows needs a line.
    guard let fitting = drawings.first(where: { $0.columns <= columns && $0.rows < rows }) else {
      throw Failure(
        .failed,
        "the QR code needs \(smallest.columns) columns and \(smallest.rows + 1) rows, and the terminal has \(columns) and \(rows); make the window larger or its font smaller"
      )
    }
    return fitting
  }

  private var size: (rows: Int, columns: Int)? {
    var (rows, columns): (Int32, Int32) = (0, 0)
    guard
      cterm_window_size(isOnError ? STDERR_FILENO : STDOUT_FILENO, &rows, &columns), columns > 0
    else { return nil }
    return (Int(rows), Int(columns))
  }
}
