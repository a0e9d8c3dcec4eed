/// The message that a prompt for a text reply is about, as the prompt spells it: below the first heading,
/// `Message from NAME: …` or, below the heading of the current message, `NAME: …`.
package struct TriggerWords: Hashable, Sendable {
  package var author: String
  package var words: String

  /// Longer messages of Discord do not exist.
  private static let maxLength = 4000
  private static let maxName = 100

  /// Nil when the prompt does not begin with a message.
  package init?(prompt: String) {
    let head = prompt.prefix(Self.maxLength + 300)
    guard head.hasPrefix("==="), let end = head.firstIndex(of: "\n") else { return nil }
    let heading = head[..<end]
    var body = head[end...].drop { $0 == "\n" || $0 == " " }
    if body.hasPrefix("Message from ") {
      body = body.dropFirst("Message from ".count)
    } else if !heading.contains("CURRENT MESSAGE") {
      return nil
    }
    guard let colon = body.firstIndex(of: ":"),
      body.distance(from: body.startIndex, to: colon) <= Self.maxName
    else { return nil }
    author = String(body[..<colon])
    var words = body[body.index(after: colon)...]
    if let next = words.firstRange(of: "\n\n===") { words = words[..<next.lowerBound] }
    while words.first?.isWhitespace == true { words.removeFirst() }
    while words.last?.isWhitespace == true { words.removeLast() }
    guard !author.isEmpty, !author.contains("\n"), !words.isEmpty else { return nil }
    self.words = String(words)
  }
}
