/// Completions for an unfinished stage.
struct StageCompletion {
  private let words: [String]
  /// The word under the cursor; empty behind a blank or a comma.
  private let prefix: String

  /// - Parameter stage: from behind its `|` to the cursor.
  init(_ stage: ArraySlice<Character>) {
    var words: [String] = []
    var word = ""
    for character in stage {
      if character.isWhitespace || character == "," {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    self.words = words
    prefix = word
  }

  func items(cursor: Int) -> (replace: Range<Int>, items: [QueryCompletion.Item]) {
    let items = candidates.filter { $0.title.hasPrefix(prefix.lowercased()) }
    return (cursor - prefix.count..<cursor, items)
  }

  private typealias Item = QueryCompletion.Item

  private var candidates: [Item] {
    guard let stage = words.first else { return Self.stages }
    let isNumber = NumberFunction(name: stage) != nil
    switch (stage, words.count) {
    case ("sort", 1): return Self.keys + [Item(insert: "count", title: "count")]
    case ("sort", 2): return ["asc", "desc"].map { Item(insert: $0, title: $0) }
    case ("top", _), ("bottom", _), ("head", _):
      return words.count == 1 ? ["5", "10", "20"].map { Item(insert: $0, title: $0) } : []
    case ("distinct", 1): return Self.keys
    case (_, 1) where isNumber:
      return [("cost", "US dollars"), ("ms", "durations"), ("tokens", "input and output")].map {
        Item(insert: $0.0, title: "\($0.0)  \($0.1)")
      } + [Item(insert: "meta.", title: "meta.PATH  a number in the metadata")]
    default:
      if words.last == "by" { return Self.keys }
      return words.contains("by") ? Self.keys : [Item(insert: "by ", title: "by  a line for each")]
    }
  }

  private static let stages: [Item] = [
    ("count", "rows"), ("sum ", "of cost, ms, tokens"), ("avg ", "the average"),
    ("p50 ", "the middle: half are not above it"), ("p95 ", "95 of 100 are not above it"),
    ("p99 ", "99 of 100 are not above it"), ("min ", "the least"), ("max ", "the greatest"),
    ("distinct ", "how many different values"), ("top ", "the greatest figures"),
    ("bottom ", "the least figures"), ("sort ", "by a column"), ("head ", "the first lines"),
  ].map { Item(insert: $0.0, title: "\($0.0)  \($0.1)") }

  private static let keys: [Item] =
    QueryKey.fields.map { field in
      Item(
        insert: field == .meta ? "meta." : field.rawValue, title: "\(field.rawValue)  \(field.help)"
      )
    } + QueryBucket.names.map { Item(insert: $0, title: "\($0)  a line for each") }
}
