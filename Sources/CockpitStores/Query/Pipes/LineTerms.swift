internal import ClankyWire

/// The filter for the rows of one line, so that every figure of a table can be opened.
struct LineTerms: Hashable, Sendable {
  private let pipeline: QueryPipeline
  private let zone: QueryZone
  private let hasNegative: Bool
  private let hasTooLarge: Bool
  /// Names that more than one id of the table has.
  private let namesakes: Set<String>

  init(
    _ pipeline: QueryPipeline, zone: QueryZone, hasNegative: Bool, hasTooLarge: Bool,
    lines: [QueryTable.Line]
  ) {
    self.pipeline = pipeline
    self.zone = zone
    self.hasNegative = hasNegative
    self.hasTooLarge = hasTooLarge
    var idOf: [String: String] = [:]
    var namesakes: Set<String> = []
    for line in lines {
      for case .text(let id, let name?) in line.keys {
        let name = Self.bare(name)
        if let known = idOf[name], known != id { namesakes.insert(name) }
        idOf[name] = id
      }
    }
    self.namesakes = namesakes
  }

  /// A filter finds `#general` by `general` too.
  private static func bare(_ name: String) -> String {
    var name = Substring(name.lowercased())
    while name.first == "#" || name.first == "@" { name.removeFirst() }
    return String(name)
  }

  /// nil if no filter can express it.
  func terms(_ keys: [QueryTable.Key]) -> String? {
    var terms: [String] = []
    for (key, value) in zip(pipeline.keys, keys) {
      switch (key, value) {
      case (.time(let bucket), .time(let range)):
        terms.append("since:\(moment(range.lowerBound, bucket))")
        terms.append("before:\(moment(range.upperBound, bucket))")
      case (.field(let field, _), .text(let text, let name)):
        if let name, !namesakes.contains(Self.bare(name)), Self.bare(name) == name.lowercased(),
          let term = term(field, key.name, name)
        {
          terms.append(term)
        } else if let term = term(field, key.name, text) {
          terms.append(term)
        } else {
          return nil
        }
      default: return nil
      }
    }
    if let figure { terms.append(figure) }
    return terms.joined(separator: " ")
  }

  /// Whether a value can be written, and means itself.
  private func term(_ field: QueryField, _ name: String, _ value: String) -> String? {
    let term = "\(name):\(QueryCompletion.quoted(value))"
    guard let query = try? Query.parse(term), query.terms.count == 1 else { return nil }
    if case .patterns(let patterns) = query.terms[0].test {
      guard patterns.count == 1, patterns[0].text == value, patterns[0].literal != nil else {
        return nil
      }
    }
    return term
  }

  /// Restricts to rows that have the figure's value.
  private var figure: String? {
    switch pipeline.figure {
    case .count: return nil
    case .number(_, let number):
      if number.field == .cost { return "is:costed" }
      if hasTooLarge { return "\(number.name):\(hasNegative ? "-9e12" : "0")..9e12" }
      return "\(number.name)>=\(hasNegative ? "-9e12" : "0")"
    case .distinct(.time): return nil
    case .distinct(.field(let field, _)):
      switch field {
      case .kind, .domain, .severity: return nil
      case .id: return "id>=0"
      case .chip:
        return "chip:"
          + ChipGroup.allCases.filter { $0 != .all }.map(\.name).joined(separator: "|")
      case .meta:
        guard case .distinct(let key) = pipeline.figure else { return nil }
        return "\(key.name):?*|\"\""
      default: return "\(field.rawValue):*"
      }
    }
  }

  private func moment(_ ms: Int64, _ bucket: QueryBucket) -> String {
    guard bucket.isDay else { return zone.text(ms: ms) }
    return String(WireTime(milliseconds: zone.shown(at: ms / 1000) * 1000).iso.prefix(10))
  }
}

extension QueryZone {
  /// A moment in ms since 1970 as `since:` and `before:` accept it: local time, as short as is
  /// exact. An ambiguous time, or one with a fraction of a second, is written in UTC.
  package func text(ms: Int64) -> String {
    let shown = shown(at: ms / 1000)
    guard ms % 1000 == 0, moments(of: shown) == [ms / 1000] else {
      return WireTime(milliseconds: ms).iso
    }
    return String(WireTime(milliseconds: shown * 1000).iso.prefix(shown % 60 == 0 ? 16 : 19))
  }
}

extension QueryTable {
  /// The query for the rows behind a line; nil if no filter can say it.
  package func query(behind line: Line, of query: Query) -> String? {
    guard let own = terms.terms(line.keys) else { return nil }
    return [query.filterText, own].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
