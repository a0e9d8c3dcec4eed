import CTermSupport
import Foundation
import TerminalCore

/// Queries a terminal outside a full-screen session for its abilities and for the width of texts.
/// Bounded in time for terminals that do not answer; leaves nothing on the screen.
package struct TerminalInterview: Sendable {
  /// What it reported about itself.
  package var facts = TerminalFacts()
  /// Width of each text in cells, in order; nil if not reported.
  package var columns: [Int?] = []

  /// Queries the terminal on standard input and output, at the start of a line.
  ///
  /// - Parameters:
  ///   - questions: the supported queries; the cursor position is always queried.
  ///   - texts: single glyphs; each is written and erased again.
  ///   - patienceMs: limit for all answers together.
  /// - Returns: nil if there is no terminal to query.
  @MainActor package init?(
    _ questions: TerminalAbilities.Questions, measuring texts: [PlainText], patienceMs: Int
  ) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, cterm_make_raw(STDIN_FILENO)
    else { return nil }
    defer { cterm_cook() }
    var question = ""
    for text in texts { question += "\r\(text)\u{1B}[6n" }
    question += "\r\u{1B}[K" + TerminalSequences.questions(questions)
    let bytes = Array(question.utf8)
    guard cterm_write_all(STDOUT_FILENO, bytes, bytes.count, 200) else { return nil }
    let answer = Self.read(patienceMs: patienceMs)
    columns = Self.columns(in: answer, count: texts.count)
    var parser = InputParser()
    for event in parser.feed(answer) {
      guard case .reply(let reply) = event else { continue }
      switch reply {
      case .backgroundColor(let color): facts.backgroundColor = color
      case .mode(2026, let setting): facts.hasSynchronizedOutput = (1...3).contains(setting)
      case .colorScheme(let isDark): facts.prefersDark = isDark
      case .mode, .deviceAttributes, .status, .other: break
      }
    }
  }

  /// Reads up to the answer to the last query, which every terminal gives.
  private static func read(patienceMs: Int) -> [UInt8] {
    let deadline = ContinuousClock.now + .milliseconds(patienceMs)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1024)
    while bytes.count < 16_384 {
      let left = Int((deadline - .now) / .milliseconds(1))
      guard left > 0 else { break }
      var poller = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, Int32(left)) > 0 else { break }
      let count = Foundation.read(STDIN_FILENO, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
      if hasEnd(bytes) { break }
    }
    return bytes
  }

  /// Whether `CSI ? … c` has arrived.
  private static func hasEnd(_ bytes: [UInt8]) -> Bool {
    guard bytes.last == UInt8(ascii: "c"), let start = bytes.lastIndex(of: 0x1B) else {
      return false
    }
    return bytes[start...].starts(with: [0x1B, 0x5B, 0x3F])
  }

  /// The columns of the reports `CSI row ; column R`, counted from the left margin.
  private static func columns(in bytes: [UInt8], count: Int) -> [Int?] {
    var found: [Int?] = []
    for part in bytes.split(separator: 0x1B) where part.first == 0x5B {
      guard let end = part.firstIndex(of: UInt8(ascii: "R")) else { continue }
      let numbers = part[part.index(after: part.startIndex)..<end].split(separator: 0x3B)
      guard numbers.count == 2, let column = Int(String(decoding: numbers[1], as: UTF8.self))
      else { continue }
      found.append(column - 1)
    }
    return Array((found + Array(repeating: nil, count: count)).prefix(count))
  }
}
