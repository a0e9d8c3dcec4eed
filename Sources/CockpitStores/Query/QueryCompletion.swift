internal import ClankyWire

/// Completions for an unfinished query: fields first, then the values in the log, the most frequent
/// first.
package enum QueryCompletion {
  package struct Item: Hashable, Sendable {
    /// The replacement of the range.
    package var insert: String
    /// The text of the list. Names in it are untrusted: sanitise them before drawing.
    package var title: String
    /// Number of stored rows with the value.
    package var count: Int?

    package init(insert: String, title: String, count: Int? = nil) {
      self.insert = insert
      self.title = title
      self.count = count
    }
  }

  /// The proposals for the term before the cursor, and the range of characters they replace.
  package static func items(
    for text: String, cursor: Int, log: ActionLog, names: any NameDirectory = NoNames(),
    views: QueryViews = QueryViews(), limit: Int = 20
  ) -> (replace: Range<Int>, items: [Item]) {
    let characters = Array(text)
    let cursor = max(0, min(cursor, characters.count))
    if let stage = stageStart(characters, cursor) {
      return StageCompletion(characters[stage..<cursor]).items(cursor: cursor)
    }
    if let view = viewItems(characters, cursor, views) { return view }
    var start = termStart(characters, cursor)
    if start < cursor, characters[start] == "-" { start += 1 }
    let term = String(characters[start..<cursor])
    guard let sign = term.firstIndex(where: { ":=<>!".contains($0) }) else {
      let fields = QueryField.allCases.filter {
        $0 != .word && $0.rawValue.hasPrefix(term.lowercased())
          // Rows of one source are all of the same bot.
          && ($0 != .bot || names.sourceName != nil)
      }
      let items = fields.map { field -> Item in
        let sign = field == .meta ? "." : field.isNumeric && field != .id ? ">" : ":"
        return Item(insert: field.rawValue + sign, title: "\(field.rawValue)  \(field.help)")
      }
      // Offer stages only where one can follow.
      let stage = Item(insert: "| count by ", title: "| count by kind  a table; also sum, p95, top")
      return (start..<cursor, Array(items.prefix(limit)) + (term.isEmpty ? [stage] : []))
    }
    guard let field = QueryField(name: String(term[..<sign])) else { return (cursor..<cursor, []) }
    // Only the alternative under the cursor is replaced.
    var value = term[sign...].drop { ":=<>!".contains($0) }
    if let bar = value.lastIndex(of: "|") { value = value[value.index(after: bar)...] }
    let valueStart = cursor - value.count
    let prefix = value.drop { !QueryParser.closings(of: $0).isEmpty }.lowercased()
    let items = values(of: field, log, names).filter {
      prefix.isEmpty || $0.title.lowercased().hasPrefix(prefix)
        || $0.insert.drop(while: { $0 == "\"" }).lowercased().hasPrefix(prefix)
    }
    return (valueStart..<cursor, Array(items.prefix(limit)))
  }

  /// `@` at the beginning is for the name of a view.
  private static func viewItems(
    _ characters: [Character], _ cursor: Int, _ views: QueryViews
  ) -> (replace: Range<Int>, items: [Item])? {
    guard let start = characters.firstIndex(where: { !$0.isWhitespace }), characters[start] == "@",
      start < cursor, !characters[start..<cursor].contains(where: \.isWhitespace)
    else { return nil }
    let prefix = String(characters[(start + 1)..<cursor])
    let items = views.texts.sorted { $0.key < $1.key }.filter { $0.key.hasPrefix(prefix) }
      .map { Item(insert: "@" + $0.key, title: "@\($0.key)  \($0.value)") }
    return (start..<cursor, items)
  }

  /// Where the stage under the cursor begins, behind its `|`; nil inside the filter.
  private static func stageStart(_ characters: [Character], _ cursor: Int) -> Int? {
    var found: Int?
    var closings: Set<Character> = []
    for index in 0..<cursor {
      let character = characters[index]
      let before = index > 0 ? characters[index - 1] : " "
      if closings.contains(character) {
        closings = []
      } else if closings.isEmpty {
        // The first stage ends the filter, and with it its quotes.
        if character == "|", found != nil || before.isWhitespace { found = index + 1 }
        if found == nil, ":=<>| -".contains(before) {
          closings = QueryParser.closings(of: character)
        }
      }
    }
    return found
  }

  /// Where the term under the cursor begins: behind the last space outside quotes.
  private static func termStart(_ characters: [Character], _ cursor: Int) -> Int {
    var start = 0
    var closings: Set<Character> = []
    for index in 0..<cursor {
      let character = characters[index]
      if closings.contains(character) {
        closings = []
      } else if closings.isEmpty {
        // A quote opens where a value begins, so that an apostrophe does not.
        let before = index > start ? characters[index - 1] : " "
        if ":=<>| -".contains(before) { closings = QueryParser.closings(of: character) }
        if character.isWhitespace { start = index + 1 }
      }
    }
    return start
  }

  private static func values(
    of field: QueryField, _ log: ActionLog, _ names: any NameDirectory
  ) -> [Item] {
    switch field {
    case .kind: return counted(log.labels().map { ($0.label.kind, $0.count) })
    case .event:
      return counted(log.labels().compactMap { row in row.label.event.map { ($0, row.count) } })
    case .domain:
      return Domain.allCases.map {
        Item(insert: $0.rawValue, title: $0.rawValue, count: log.totals.retained[$0])
      }
    case .chip:
      return ChipGroup.allCases.map {
        Item(insert: $0.name, title: $0.name, count: log.totals.retained[$0])
      }
    case .severity: return ["info", "warning", "error"].map { Item(insert: $0, title: $0) }
    case .state: return QueryState.allCases.map { Item(insert: $0.rawValue, title: $0.rawValue) }
    case .since, .before:
      return ["5m", "15m", "1h", "6h", "1d"].map { Item(insert: $0, title: $0) }
    case .user: return log.users().map { named($0, names.userName($0.value)) }
    case .channel: return log.channels().map { named($0, names.channelName($0.value)) }
    case .guild: return log.guilds().map { named($0, names.guildName($0.value)) }
    default: return []
    }
  }

  private static func counted(_ pairs: [(String, Int)]) -> [Item] {
    var counts: [String: Int] = [:]
    for (value, count) in pairs { counts[value, default: 0] += count }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { Item(insert: quoted($0.key), title: $0.key, count: $0.value) }
  }

  private static func named(_ value: ValueCount, _ name: String?) -> Item {
    Item(insert: quoted(name ?? value.value), title: name ?? value.value, count: value.count)
  }

  /// A value as it is written behind `field:`, so that it means itself.
  package static func quoted(_ value: String) -> String {
    let isPlain =
      value.allSatisfy { !$0.isWhitespace && !"|\"\\*?".contains($0) }
      && value.first.map { QueryParser.closings(of: $0).isEmpty && !"<>=:".contains($0) } ?? false
    if isPlain { return value }
    var text = "\""
    for character in value {
      if character == "\"" || character == "\\" { text.append("\\") }
      text.append(character)
    }
    return text + "\""
  }
}
