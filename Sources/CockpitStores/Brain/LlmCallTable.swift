internal import ClankyWire

/// The order of the calls.
package enum LlmCallOrder: String, CaseIterable, Hashable, Sendable {
  /// Newest first.
  case time
  /// Most expensive first; calls without a cost come last.
  case cost
  /// Most tokens first.
  case tokens
  /// By name, newest first within a model.
  case model

  /// The order after this one.
  package var next: LlmCallOrder {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + 1) % all.count]
  }
}

/// The model calls of the log, each read once. It follows the log: new rows are read, evicted rows
/// are dropped.
@MainActor
package final class LlmCallTable {
  /// Calls that are kept; older ones are still in PULSE.
  package static let limit = 2000
  /// The kinds of rows that are calls.
  package static let kinds: Set<String> = ["llm_call", "llm_tool_call", "llm_error"]
  /// Calls read per batch. Parsing a prompt of 60 KB takes a while, and a frame must not wait for
  /// two thousand of them.
  private static let batch = 250

  private var calls: [RowID: LlmCall] = [:]
  /// The last lists of tools that a reply could use, oldest first.
  package private(set) var offers: [ToolOffer] = []
  private static let offerLimit = 40
  private var cursor = LogCursor(.newest, startsOver: true)
  /// Older rows still to be read, oldest first. Ordered by time, because rows fetched later are
  /// older but have higher numbers.
  private var pending: [RowID]?
  private var sorted: [LlmCallOrder: [LlmCall]] = [:]
  private var grouped: [LlmModelGroup]?

  private let scope: GuildScope

  /// - Parameter scope: whose calls are read.
  package init(_ scope: GuildScope = .all) { self.scope = scope }

  /// Whether all older rows of the log have been read.
  package private(set) var isComplete = false

  /// The calls in an order, up to date with the log.
  package func calls(in log: ActionLog, by order: LlmCallOrder) -> [LlmCall] {
    sync(with: log)
    if let known = sorted[order] { return known }
    let list = Array(calls.values).sorted { Self.isBefore($0, $1, by: order) }
    sorted[order] = list
    return list
  }

  /// The calls by model, the model with most tokens first; within a model newest first.
  package func groups(in log: ActionLog) -> [LlmModelGroup] {
    let list = calls(in: log, by: .time)
    if let grouped { return grouped }
    let groups = Dictionary(grouping: list, by: \.model).map { Self.group($0.key, $0.value) }
      .sorted {
        let (left, right) = ($0.tokens, $1.tokens)
        return left != right ? left > right : ($0.model ?? "~") < ($1.model ?? "~")
      }
    grouped = groups
    return groups
  }

  // MARK: Following the log

  private func sync(with log: ActionLog) {
    let changes = cursor.changes(in: log, budget: 0)
    if changes.isRestart {
      calls = [:]
      offers = []
      pending = nil
      isComplete = false
      forget()
    }
    if changes.hasEvicted { drop(before: log.firstRow) }
    while let row = cursor.next(in: log) { read(row, in: log) }
    // A live row is stored a moment later, and then has its id and the whole of its text.
    for row in changes.updated ?? ArraySlice(calls.keys) where calls[row] != nil {
      read(row, in: log)
    }
    fill(from: log)
    cut()
  }

  /// Reads older rows, newest first, a batch at a time.
  private func fill(from log: ActionLog) {
    guard !isComplete else { return }
    var rows = pending ?? (0..<log.count).reversed().map { log.rowID(at: $0) }
    pending = nil  // a unique reference, so that nothing is copied
    var left = Self.batch
    while left > 0, calls.count < Self.limit, let row = rows.popLast() {
      if read(row, in: log) { left -= 1 }
    }
    isComplete = rows.isEmpty || calls.count >= Self.limit
    pending = isComplete ? [] : rows
  }

  @discardableResult
  private func read(_ id: RowID, in log: ActionLog) -> Bool {
    guard let row = log.row(id), !row.isGap, !row.isOfFormerLog, scope.holds(row.guildID) else {
      return false
    }
    guard let call = LlmCall(row) else {
      if row.label.event?.hasSuffix("tool_availability") == true { note(ToolOffer(row)) }
      return false
    }
    calls[id] = call
    forget()
    return true
  }

  private func note(_ offer: ToolOffer) {
    offers.removeAll { $0.row == offer.row }
    let index = offers.firstIndex { $0.timeMs > offer.timeMs } ?? offers.count
    offers.insert(offer, at: index)
    if offers.count > Self.offerLimit { offers.removeFirst() }
  }

  private func drop(before first: RowID) {
    let count = calls.count
    calls = calls.filter { $0.key >= first }
    if calls.count != count { forget() }
  }

  private func cut() {
    // Some more than the limit may stay, or every new call would sort two thousand.
    guard calls.count > Self.limit + Self.batch else { return }
    let newest = calls.values.sorted { Self.isBefore($0, $1, by: .time) }.prefix(Self.limit)
    calls = Dictionary(uniqueKeysWithValues: newest.map { ($0.row, $0) })
    forget()
  }

  private func forget() {
    sorted = [:]
    grouped = nil
  }

  // MARK: Order

  private static func isBefore(_ left: LlmCall, _ right: LlmCall, by order: LlmCallOrder) -> Bool {
    switch order {
    case .time: break
    case .cost:
      let (a, b) = (left.costUSD ?? -1, right.costUSD ?? -1)
      if a != b { return a > b }
    case .tokens:
      let (a, b) = (left.tokens ?? -1, right.tokens ?? -1)
      if a != b { return a > b }
    case .model:
      let (a, b) = (left.model ?? "", right.model ?? "")
      if a != b { return b.isEmpty || (!a.isEmpty && a < b) }
    }
    return left.timeMs != right.timeMs ? left.timeMs > right.timeMs : left.row > right.row
  }

  private static func group(_ model: String?, _ calls: [LlmCall]) -> LlmModelGroup {
    var group = LlmModelGroup(model: model, calls: calls)
    var (cached, cacheable) = (0.0, 0.0)
    for call in calls {
      if call.kind == .error { group.failures += 1 }
      if let tokens = call.inputTokens { group.inputTokens = sum(group.inputTokens, tokens) }
      if let tokens = call.outputTokens { group.outputTokens = sum(group.outputTokens, tokens) }
      if let cost = call.costUSD { group.costUSD = (group.costUSD ?? 0) + cost }
      if let read = call.cacheReadTokens, let input = call.inputTokens,
        let whole = CachedInput.whole(input: input, read: read)
      {
        cached += Double(read)
        cacheable += Double(whole)
      }
    }
    if cacheable > 0 { group.cacheShare = cached / cacheable }
    return group
  }

  private static func sum(_ known: Int?, _ more: Int) -> Int {
    (known ?? 0).addingReportingOverflow(more).partialValue
  }
}

extension LlmModelGroup {
  fileprivate var tokens: Int {
    (inputTokens ?? 0).addingReportingOverflow(outputTokens ?? 0).partialValue
  }
}
