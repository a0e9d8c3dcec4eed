internal import ClankyWire

/// A filter of facts: terms that must all hold, such as
/// `type:preference conf>0.8 user:"the name" age<7d -scope:owner rust`.
///
/// It is written like a `Query`: `-` negates a term, `|` separates alternatives, `*` and `?` stand
/// for any text and any character, quotes keep a value as it is. A word without a field is looked
/// for in the fact, its evidence, its type, its subject and the subject's name.
struct FactFilter: Hashable, Sendable {
  struct Term: Hashable, Sendable {
    enum Test: Hashable, Sendable {
      /// nil searches all fields.
      case words(FactField?, [FoldedText])
      case patterns(FactField, [Pattern])
      case numbers(FactField, [NumberTest])
      /// Time since the last change, in ms.
      case age(QueryComparison, Int64)
      case time(FactField, QueryComparison, QueryTime)
    }

    var isNegated: Bool
    var test: Test
  }

  var terms: [Term]

  static let everything = FactFilter(terms: [])

  /// Whether facts can start to match merely because time passes.
  var movesWithTime: Bool {
    terms.contains { term in
      switch term.test {
      case .age: true
      case .time(_, _, let time): time.moves
      default: false
      }
    }
  }

  /// Whether a fact passes. `name` gives the folded name of its subject.
  func matches(_ entry: FactMatch) -> Bool {
    terms.allSatisfy { entry.passes($0.test) != $0.isNegated }
  }
}

/// A fact with all that a filter asks about it.
struct FactMatch {
  var fact: Fact
  var guilds: Set<String>
  var words: FoldedText
  /// The name of its subject, nil if unknown.
  var subjectName: FoldedText?
  var names: any NameDirectory
  var nowMs: Int64
  /// In which times of day and dates are meant.
  var zone: QueryZone

  func holds(_ needle: FoldedText) -> Bool {
    words.contains(needle) || subjectName?.contains(needle) == true
  }

  func passes(_ test: FactFilter.Term.Test) -> Bool {
    switch test {
    case .words(nil, let words): words.contains(where: holds)
    case .words(.evidence?, let words): isIn(fact.evidenceText, words)
    case .words(_, let words): isIn(fact.fact, words)
    case .patterns(let field, let patterns): patterns.contains { passes(field, $0) }
    case .numbers(let field, let tests):
      (field == .id ? fact.id.map(Double.init) : fact.confidence).map { number in
        tests.contains { $0.holds(number) }
      } ?? false
    case .age(let comparison, let limit):
      changedAt.map { comparison.holds(Double(max(0, nowMs - $0)), Double(limit)) } ?? false
    case .time(let field, let comparison, let time): passes(field, comparison, time)
    }
  }

  private var changedAt: Int64? { (fact.updatedAt ?? fact.createdAt)?.milliseconds }

  private func isIn(_ text: String?, _ words: [FoldedText]) -> Bool {
    guard let text else { return false }
    let folded = FoldedText(text)
    return words.contains(where: folded.contains)
  }

  private func passes(_ field: FactField, _ pattern: Pattern) -> Bool {
    switch field {
    case .type: return matches(pattern, fact.factType?.rawValue)
    case .scope: return matches(pattern, fact.scope?.rawValue)
    case .source: return matches(pattern, fact.sourceMessageID)
    case .channel:
      return matches(pattern, fact.channelID, fact.channelID.flatMap(names.channelName))
    case .subject:
      if let subjectName, pattern.matches(subjectName.text) { return true }
      return matches(pattern, fact.subject)
    case .user:
      // Before May there is no user id; then the subject is the user.
      guard let user = fact.userID ?? (fact.specialSubject == nil ? fact.subject : nil) else {
        return false
      }
      return matches(pattern, user, names.userName(user))
    case .guild:
      let guilds = fact.guildID.map { [$0] } ?? Array(guilds)
      return guilds.contains { matches(pattern, $0, names.guildName($0)) }
    case .conf, .fact, .evidence, .id, .age, .updated, .created: return false
    }
  }

  private func matches(_ pattern: Pattern, _ values: String?...) -> Bool {
    values.contains { value in
      guard let value, !value.isEmpty else { return false }
      return pattern.matches(FoldedText(value).text)
    }
  }

  private func passes(
    _ field: FactField, _ comparison: QueryComparison, _ time: QueryTime
  ) -> Bool {
    guard let at = field == .created ? fact.createdAt?.milliseconds : changedAt else {
      return false
    }
    let spans = time.spans(nowMs: nowMs, in: zone)
    guard let first = spans.first, let last = spans.last else { return false }
    return switch comparison {
    case .equal: spans.contains { $0.contains(at) }
    case .less: at < first.lowerBound
    case .lessOrEqual: at < last.upperBound
    // "Later than two days ago" begins where the day before yesterday did, not a minute later.
    case .greater: if case .ago = time { at > first.lowerBound } else { at >= last.upperBound }
    case .greaterOrEqual: at >= first.lowerBound
    }
  }
}
