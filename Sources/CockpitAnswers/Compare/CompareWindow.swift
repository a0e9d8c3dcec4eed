package import CockpitStores

/// What stands on one side of a comparison, as it was typed: a time, and what is left out of it.
package struct CompareWindow: Hashable, Sendable {
  package enum Span: Hashable, Sendable {
    /// The last so many ms.
    case last(ms: Int64)
    /// Since midnight.
    case today
    /// The day before.
    case yesterday
    /// ms since 1970.
    case range(Range<Int64>)
    /// One voice session.
    case session(String)
    /// Between two changes of the ledger; 0 is the current one, -1 the one before.
    case epoch(Int)
    /// All that a file has.
    case file(String)
    /// Another bot, by the name of its profile.
    case bot(String)
    /// The same hours of earlier days as those of the other side.
    case sameHoursBefore
    /// The whole time that is looked at; what is left out makes the difference.
    case all
  }

  package var span: Span
  /// By name or id; nil for all.
  package var guild: String?
  /// A part of a model's name; nil for all.
  package var model: String?

  package init(_ span: Span, guild: String? = nil, model: String? = nil) {
    self.span = span
    self.guild = guild
    self.model = model
  }

  /// The longest window, in ms.
  package static let longestMs: Int64 = 31 * 86_400_000

  /// What a text is none of, for messages.
  package static let forms =
    "2h, today, yesterday, 14:00/2h, 2026-11-20T14:00/2h, session:ID, epoch:-1, FILE.flight, bot:NAME, guild:NAME, model:NAME"

  /// Reads windows out of words: `session ID` and `epoch -1` are two words or one with a colon; guild and model
  /// may be added to a time with a plus, such as `today+model:opus`.
  ///
  /// - Returns: nil if a word is none.
  package static func parse(
    _ words: [String], nowMs: Int64, in zone: QueryZone
  ) -> [CompareWindow]? {
    var windows: [CompareWindow] = []
    var rest = words[...]
    while var word = rest.popFirst() {
      if word == "session", let id = rest.popFirst() { word = "session:" + id }
      if word == "epoch" {
        if let number = rest.first, Int(number) != nil {
          word = "epoch:" + number
          rest = rest.dropFirst()
        } else if words == ["epoch"] {
          return [CompareWindow(.epoch(-1)), CompareWindow(.epoch(0))]
        }
      }
      guard let window = parse(word, nowMs: nowMs, in: zone) else { return nil }
      windows.append(window)
    }
    return windows
  }

  private static func parse(
    _ word: String, nowMs: Int64, in zone: QueryZone
  ) -> CompareWindow? {
    var window = CompareWindow(.all)
    // A plus before a word begins another part; others are those of times, such as +02:00.
    var parts: [String] = []
    for part in word.split(separator: "+", omittingEmptySubsequences: false) {
      if !parts.isEmpty, !part.hasPrefix("guild:"), !part.hasPrefix("model:") {
        parts[parts.count - 1] += "+" + part
      } else {
        parts.append(String(part))
      }
    }
    for part in parts {
      if let name = part.value(of: "guild") {
        window.guild = name
      } else if let name = part.value(of: "model") {
        window.model = name
      } else if let span = span(part, nowMs: nowMs, in: zone), window.span == .all {
        window.span = span
      } else {
        return nil
      }
    }
    return window
  }

  private static func span(_ word: String, nowMs: Int64, in zone: QueryZone) -> Span? {
    switch word {
    case "today": return .today
    case "yesterday": return .yesterday
    case "before": return .sameHoursBefore
    case "epoch": return .epoch(0)
    default: break
    }
    if let id = word.value(of: "session") { return .session(id) }
    if let number = word.value(of: "epoch") {
      return Int(number).flatMap { $0 <= 0 ? .epoch($0) : nil }
    }
    if let name = word.value(of: "bot") { return .bot(name) }
    if word.hasSuffix(".flight") || word.hasSuffix(".day") || word.hasSuffix(".sqlite") {
      return .file(word)
    }
    if let ms = milliseconds(word) { return .last(ms: ms) }
    let parts = word.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2,
      let from = QueryMoment.start(of: parts[0], nowMs: nowMs, in: zone)
    else { return nil }
    if let ms = milliseconds(parts[1]) { return .range(from..<from + ms) }
    guard let to = QueryMoment.start(of: parts[1], nowMs: nowMs, in: zone), to > from,
      to - from <= longestMs
    else { return nil }
    return .range(from..<to)
  }

  /// A duration such as `2h`, 31 days at most.
  private static func milliseconds(_ word: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let unit = word.last.flatMap({ units[$0] }), let count = Double(word.dropLast()),
      count > 0, count * Double(unit) <= Double(longestMs)
    else { return nil }
    return Int64(count * Double(unit))
  }
}

extension String {
  /// What stands behind `name:`; nil if it is empty or something else.
  fileprivate func value(of name: String) -> String? {
    guard hasPrefix(name + ":"), utf8.count > name.utf8.count + 1 else { return nil }
    return String(dropFirst(name.count + 1))
  }
}
