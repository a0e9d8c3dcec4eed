/// A window title: words of this program and numbers, with a space between them.
///
/// It can hold nothing else: some terminals can be made to type their title, so untrusted text must
/// not get there (promises P1 and P6), not even sanitised.
package struct TitleText: Hashable, Sendable {
  /// Printable ASCII.
  package private(set) var text = ""

  /// No words yet.
  package init() {}

  /// One or more words; anything but printable ASCII is left out.
  package init(_ words: StaticString) { add(words) }

  /// Adds words.
  package mutating func add(_ words: StaticString) { append(Self.ascii(words)) }

  /// Adds a number right behind a mark, as in `!3`.
  package mutating func add(_ mark: StaticString = "", _ number: Int) {
    append(Self.ascii(mark) + String(number))
  }

  /// Adds US dollars with two decimals, as in `$2.47`; an invalid amount is left out.
  package mutating func add(dollars: Double) {
    guard dollars.isFinite, dollars >= 0, dollars < 1e9 else { return }
    let cents = Int((dollars * 100).rounded())
    append("$\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)")
  }

  private mutating func append(_ part: String) {
    guard !part.isEmpty else { return }
    text += text.isEmpty ? part : " " + part
  }

  private static func ascii(_ words: StaticString) -> String {
    let scalars = words.description.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }
    return String(String.UnicodeScalarView(scalars))
  }
}
