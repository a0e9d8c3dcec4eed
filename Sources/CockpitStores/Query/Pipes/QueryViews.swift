/// Named queries: `@slow since:1h | top 3` starts with the query named `slow`, narrows its rows and
/// appends stages.
package struct QueryViews: Hashable, Sendable {
  /// The query of each name.
  package var texts: [String: String]

  /// Views that begin with views.
  private static let maximumDepth = 8

  package init(_ texts: [String: String] = [:]) { self.texts = texts }

  /// Letters, digits, `-` and `_`.
  package static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.count <= 40
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }

  func query(_ text: String) throws(QueryError) -> Query { try query(text, depth: 0) }

  private func query(_ text: String, depth: Int) throws(QueryError) -> Query {
    let characters = Array(text)
    let start = characters.firstIndex { !$0.isWhitespace } ?? characters.count
    var end = start
    while end < characters.count, !characters[end].isWhitespace, characters[end] != "|" { end += 1 }
    let word = String(characters[start..<end])
    guard word.first == "@", word.count > 1 else {
      var parser = QueryParser(text, hasStages: true)
      return try parser.pipedQuery()
    }
    let name = String(word.dropFirst())
    func error(_ message: String, _ suggestion: String? = nil) -> QueryError {
      QueryError(
        offset: start, length: word.count, message: message, suggestion: suggestion)
    }
    guard let saved = texts[name] else {
      throw error(
        "there is no view \"\(name)\"; \"\(word)\" in quotes looks for the text",
        nearest(name, in: texts.keys.sorted()).map { "@" + $0 })
    }
    guard depth < Self.maximumDepth else { throw error("the view \(name) stands for itself") }
    let view: Query
    do throws(QueryError) { view = try query(saved, depth: depth + 1) } catch let cause {
      throw error("the view \(name) cannot be read: \(cause.message)")
    }
    var parser = QueryParser(text, from: end, hasStages: true)
    return try parser.pipedQuery(after: view)
  }
}
