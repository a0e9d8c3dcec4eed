import LenientJSON
import TerminalCore

/// One line of `doctor`.
struct DoctorCheck: Sendable {
  enum Verdict: String {
    case ok, warn, fail
  }

  /// A short, stable name, such as `connection`.
  var name: String
  var verdict: Verdict
  /// The finding.
  var text: String
  /// The advice; empty if nothing needs doing.
  var advice: String
  /// Its source; nil in a profile with one source.
  var source: String?

  init(_ name: String, _ verdict: Verdict, _ text: String, _ advice: String = "") {
    self.name = name
    self.verdict = verdict
    self.text = text
    self.advice = advice
  }

  /// For the terminal: verdict, name, finding; the advice on a separate line.
  var lines: [PlainText] {
    let padded = name.padding(to: 12)
    let text = source.map { "\($0): \(self.text)" } ?? self.text
    var lines = [PlainText("\(verdict.rawValue.padding(to: 5)) \(padded) \(text)", limit: 1000)]
    if !advice.isEmpty {
      lines.append(PlainText("\("".padding(to: 18)) -> \(advice)", limit: 1000))
    }
    return lines
  }

  /// One object for scripts.
  var json: [UInt8] {
    var writer = JSONObjectWriter()
    writer.string("type", "check")
    writer.string("name", name)
    writer.string("source", source)
    writer.string("verdict", verdict.rawValue)
    writer.string("text", text)
    writer.string("advice", advice.isEmpty ? nil : advice)
    return writer.finish()
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
