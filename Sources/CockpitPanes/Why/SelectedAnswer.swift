import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore

/// An answer or silence that is shown for longer than a frame: it is made anew when rows, names or facts
/// that it depends on arrive.
package struct SelectedAnswer: Sendable {
  package var why: Why { shown.value }
  /// Shared: it has 2 kB, and stands in the shell and in the context, which are copied with every key.
  private var shown: SharedValue<Why>
  /// Its rows.
  package private(set) var rows: Set<RowID>
  /// What it was made from: the names, the facts, the rows.
  private var version: [Int] = []
  /// When it was made, in ns of the monotonic clock.
  private var madeNs: UInt64

  /// How often an answer that is not over is made anew, in ns: it reads thousands of rows.
  private static let intervalNs: UInt64 = 500_000_000

  @MainActor package init(_ exchange: Exchange, _ facts: ViewContext) {
    shown = SharedValue(Why(exchange))
    rows = Set(exchange.sources.compactMap(\.row))
    madeNs = facts.monotonicNs
    version = Self.version(exchange, facts)
  }

  package var exchange: Exchange { shown.value.exchange }

  package var key: Exchange.Key { shown.value.exchange.key }

  /// `answer 02:14 to Mira`
  @MainActor func name(_ facts: ViewContext) -> PlainText {
    why.name(facts.clock, nowMs: facts.minuteMs)
  }

  /// Makes it anew if something has come that may change it; true if it did.
  @MainActor @discardableResult package mutating func refresh(_ facts: ViewContext) -> Bool {
    let now = Self.version(exchange, facts)
    guard now != version else { return false }
    // Only the rows change all the time.
    if now.dropLast() == version.dropLast(), facts.monotonicNs &- madeNs < Self.intervalNs,
      facts.monotonicNs >= madeNs
    {
      return false
    }
    version = now
    madeNs = facts.monotonicNs
    guard let exchange = facts.exchanges.exchange(key) else { return false }
    version = Self.version(exchange, facts)
    guard exchange != self.exchange else { return false }
    shown = SharedValue(Why(exchange))
    rows = Set(exchange.sources.compactMap(\.row))
    return true
  }

  /// Whether rows of its session were not read yet.
  @MainActor private static func isUnread(_ exchange: Exchange, _ facts: ViewContext) -> Bool {
    exchange.sessionID != nil && facts.voice.unreadRows(in: facts.activity.log) > 0
  }

  @MainActor private static func version(_ exchange: Exchange, _ facts: ViewContext) -> [Int] {
    [
      exchange.author == nil ? facts.names.directory.revision : 0,
      exchange.prompt == nil ? 0 : facts.memory.facts.revision,
      exchange.isOpen && facts.dataEndMs(.activity) != nil ? 1 : 0,
      exchange.isOpen || isUnread(exchange, facts) ? facts.activity.log.revision : 0,
    ]
  }
}

extension ViewContext {
  /// The answer with this key, to be shown; nil if no row of it is on record. It is of the rows that were read,
  /// and made anew when others are.
  @MainActor package func answer(_ key: Exchange.Key) -> SelectedAnswer? {
    exchanges.exchange(key).map { SelectedAnswer($0, self) }
  }

  /// The facts that may stand in the prompt of an answer, to be fetched.
  @MainActor package func needs(of answer: SelectedAnswer) -> [Need] {
    guard answer.exchange.prompt != nil else { return [] }
    return [.memory(.load(guild: answer.exchange.guildID))]
  }
}
