import TOMLKit

/// Why a text is no TOML.
package struct TOMLMistake: Error, Hashable, Sendable {
  /// From 1.
  package let line: Int
  /// A sentence without its end; not sanitised.
  package let problem: String

  init(line: Int, problem: String) {
    self.line = line
    self.problem = problem
  }
}

/// The only entrance to TOMLKit: input that would crash it is rejected first.
package enum TOMLDocument {
  /// The text of a file: valid UTF-8, with nothing replaced.
  ///
  /// - Throws: the first invalid line.
  package static func text(_ bytes: [UInt8]) throws(TOMLMistake) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var line = 1
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      if scalar == "\n" { line += 1 }
    }
    throw TOMLMistake(line: line, problem: "this is no UTF-8 text; save the file as UTF-8")
  }

  /// - Throws: the first mistake.
  package static func table(_ text: String) throws(TOMLMistake) -> TOMLTable {
    var text = text
    let bytes = text.withUTF8 { Array($0) }
    // TOMLKit takes a C string: text after a NUL would be ignored.
    if let end = bytes.firstIndex(of: 0) {
      let line = bytes[..<end].count { $0 == UInt8(ascii: "\n") } + 1
      throw TOMLMistake(
        line: line, problem: "there is a NUL byte, which no text has; is the file damaged?")
    }
    try TOMLGuard.check(bytes)
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let problem = error.description.split(separator: "\n").first.map(String.init)
      throw TOMLMistake(line: error.source.begin.line, problem: problem ?? error.description)
    } catch {
      throw TOMLMistake(line: 1, problem: "\(error)")
    }
  }
}
