internal import CockpitDomain
internal import ClankyWire

/// Applies a query to many rows: what depends only on a label, a user or a place is decided once
/// for each, then come the columns, the text, and last the metadata, which is parsed only if a term
/// needs it and its bytes may match.
struct QueryMatcher {
  let query: Query
  let names: any NameDirectory
  let nowMs: Int64

  private var labelTerms: [Query.Term] = []
  private var userTerms: [Query.Term] = []
  private var placeTerms: [Query.Term] = []
  private var rowTerms: [TimedTerm] = []
  /// Terms that a gap row may match.
  private var gapTerms: [TimedTerm] = []
  private var metadataTerms: [MetadataTerm] = []
  /// How many terms name a bot, and whether the source of these rows is one of those: it has one answer for all rows.
  private var botTerms = 0
  private var isOfBot = true
  private var labelVerdicts = Verdicts()
  private var userVerdicts = Verdicts()
  private var placeVerdicts = Verdicts()

  init(_ query: Query, names: any NameDirectory, nowMs: Int64) {
    self.query = query
    self.names = names
    self.nowMs = nowMs
    for term in query.terms {
      let timed = TimedTerm(term, nowMs: nowMs, in: query.zone)
      if term.field.isTime || term.field == .state { gapTerms.append(timed) }
      switch term.field {
      case .kind, .domain, .event: labelTerms.append(term)
      case .bot:
        botTerms += 1
        if !Self.holds(term, bot: names.sourceName) { isOfBot = false }
      case .user: userTerms.append(term)
      case .channel, .guild: placeTerms.append(term)
      case .model, .provider, .tool, .source, .session, .ms, .tokens, .meta:
        metadataTerms.append(MetadataTerm(term))
      default: rowTerms.append(timed)
      }
    }
  }

  mutating func matches(_ row: ActionRowView) -> Bool {
    guard isOfBot else { return false }
    if row.isGap { return gapMatches(row) }
    let log = row.log
    let record = row.record
    if !labelTerms.isEmpty {
      let serial = log.labelTable.serial(of: record.label)
      let known = labelVerdicts[record.label, serial]
      let verdict = known ?? labelTerms.allSatisfy { holds($0, label: row.label) }
      if known == nil { labelVerdicts[record.label, serial] = verdict }
      if !verdict { return false }
    }
    if !userTerms.isEmpty {
      let serial = log.userTable.serial(of: record.user)
      let known = userVerdicts[record.user, serial]
      let verdict = known ?? userTerms.allSatisfy { holds($0, user: row.userID) }
      if known == nil { userVerdicts[record.user, serial] = verdict }
      if !verdict { return false }
    }
    if !placeTerms.isEmpty {
      let serial = log.placeTable.serial(of: record.place)
      let known = placeVerdicts[record.place, serial]
      let verdict = known ?? placeTerms.allSatisfy { holds($0, placeOf: row) }
      if known == nil { placeVerdicts[record.place, serial] = verdict }
      if !verdict { return false }
    }
    for timed in rowTerms where holds(timed, row: row) == timed.term.isNegated { return false }
    return metadataTerms.isEmpty || metadataMatches(row)
  }

  private static func holds(_ term: Query.Term, bot name: String?) -> Bool {
    guard case .patterns(let patterns) = term.test else { return false }
    return patterns.contains { pattern in name.map(pattern.matches) ?? false } != term.isNegated
  }

  /// A gap row matches only filters by time, by `is:gap` or by the bot that it is of.
  private func gapMatches(_ row: ActionRowView) -> Bool {
    gapTerms.count + botTerms == query.terms.count
      && gapTerms.allSatisfy { holds($0, row: row) != $0.term.isNegated }
  }

  private func holds(_ term: Query.Term, label: ActionLabel) -> Bool {
    let holds: Bool
    switch term.test {
    case .domains(let domains): holds = domains.contains(label.domain)
    case .patterns(let patterns):
      if term.field == .kind {
        holds = patterns.contains { $0.matches(label.kind) }
      } else {
        holds = label.event.map { event in patterns.contains { $0.matches(event) } } ?? false
      }
    default: holds = false
    }
    return holds != term.isNegated
  }

  private func holds(_ term: Query.Term, user id: String?) -> Bool {
    guard case .patterns(let patterns) = term.test else { return false }
    guard let id else { return term.isNegated }
    let known = names.userNames(id)
    let isFound =
      any(patterns, id, nil) || known.contains { any(patterns, id, $0) }
    return isFound != term.isNegated
  }

  private func holds(_ term: Query.Term, placeOf row: ActionRowView) -> Bool {
    guard case .patterns(let patterns) = term.test else { return false }
    if term.field == .guild {
      return any(patterns, row.guildID, row.guildID.flatMap(names.guildName)) != term.isNegated
    }
    return any(patterns, row.channelID, row.channelID.flatMap(names.channelName)) != term.isNegated
  }

  private func any(_ patterns: [Pattern], _ id: String?, _ name: String?) -> Bool {
    guard let id else { return false }
    return patterns.contains { pattern in
      if pattern.matches(id) { return true }
      guard let name else { return false }
      return pattern.matches(name) || pattern.matches("#" + name) || pattern.matches("@" + name)
    }
  }

  /// Terms on columns and text, before negation.
  private func holds(_ timed: TimedTerm, row: ActionRowView) -> Bool {
    let term = timed.term
    switch term.test {
    case .time:
      guard let first = timed.spans.first else { return false }
      switch term.field {
      case .since: return row.timeMs >= first.lowerBound
      case .before: return row.timeMs < first.lowerBound
      default: return timed.contains(row.timeMs)
      }
    case .chips(let chips): return !row.chips.isDisjoint(with: chips)
    case .severity(let comparison, let severities):
      return severities.contains {
        comparison.holds(Double(row.severity.rawValue), Double($0.rawValue))
      }
    case .states(let states): return states.contains { holds($0, row) }
    case .numbers(let numbers):
      let value: Double
      if term.field == .id {
        guard let id = row.actionID else { return false }
        value = Double(id)
      } else {
        value = row.costUSD ?? 0
      }
      return numbers.contains { $0.holds(value) }
    case .words(let needles):
      return needles.contains { needle in
        needle.isInContent(of: row)
          || (term.field == .word
            && (needle.isIn(row.label.title) || needle.isIn(row.kind)
              || SpokenWords.hold(needle, in: row)))
      }
    case .patterns(let patterns):  // message
      guard let id = row.messageID else { return false }
      return patterns.contains { $0.matches(id) }
    case .domains: return false
    }
  }

  private func holds(_ state: QueryState, _ row: ActionRowView) -> Bool {
    switch state {
    case .gap: return row.isGap
    case _ where row.isGap: return false
    case .error, .failure: return row.isFailure
    case .warning: return row.severity == .warning
    case .info: return row.severity == .info
    case .live: return !row.sources.isDisjoint(with: [.activity, .voice])
    case .stored: return row.sources.contains(.stored)
    case .voice: return row.sources.contains(.voice)
    case .costed: return row.costUSD != nil
    }
  }

  private func metadataMatches(_ row: ActionRowView) -> Bool {
    let result = row.withScan { scan, bytes -> Bool in
      let metadata = scan.metadata.form == .object
      let raw =
        metadata ? scan.metadata.bytes(in: bytes) : UnsafeRawBufferPointer(start: nil, count: 0)
      // The keys of the metadata must be there, or no term that wants them can hold.
      for term in metadataTerms where !term.isNegated {
        if !term.looksAtContent(of: row), !term.mayHold(raw) { return false }
      }
      let tree = scan.metadataValue(in: bytes)
      return metadataTerms.allSatisfy { $0.holds(tree, row) != $0.isNegated }
    }
    return result ?? false
  }
}

/// A term with the absolute ranges of its times, computed once for all rows.
private struct TimedTerm {
  let term: Query.Term
  /// In ascending order of their beginnings.
  let spans: [Range<Int64>]
  private let longestMs: Int64

  init(_ term: Query.Term, nowMs: Int64, in zone: QueryZone) {
    self.term = term
    guard case .time(let times) = term.test else {
      (spans, longestMs) = ([], 0)
      return
    }
    spans = times.flatMap { $0.spans(nowMs: nowMs, in: zone) }
      .sorted { $0.lowerBound < $1.lowerBound }
    longestMs = spans.map { $0.upperBound - $0.lowerBound }.max() ?? 0
  }

  /// Whether one of the ranges has the moment.
  func contains(_ ms: Int64) -> Bool {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].lowerBound <= ms { low = middle + 1 } else { high = middle }
    }
    // The last range that has begun, and those before it that may last as long.
    while low > 0, ms - spans[low - 1].lowerBound < longestMs {
      if spans[low - 1].contains(ms) { return true }
      low -= 1
    }
    return false
  }
}

/// Cached decisions for interned values, tagged with the serial of the entry.
private struct Verdicts {
  private var entries: [(serial: UInt32, verdict: Bool)?] = []

  subscript(number: UInt32, serial: UInt32) -> Bool? {
    get {
      guard Int(number) < entries.count, let known = entries[Int(number)], known.serial == serial
      else { return nil }
      return known.verdict
    }
    set {
      if Int(number) >= entries.count {
        entries.append(contentsOf: repeatElement(nil, count: Int(number) + 1 - entries.count))
      }
      entries[Int(number)] = newValue.map { (serial, $0) }
    }
  }
}
