package import CockpitHistory

/// Delivers a history to one far end: what happened goes in, what to do next comes out. It reads no clock, no file and
/// no socket. One command is carried out at a time, so that there is one request in flight.
package struct SinkMachine: Sendable {
  /// A row of the page that is being delivered.
  package struct Entry: Hashable, Sendable {
    package var place: SequencePlace
    /// When it arrived, in ms since 1970.
    package var receivedMs: Int64
    /// Why it cannot be sent at all; nil if it can.
    package var problem: String?

    package init(place: SequencePlace, receivedMs: Int64, problem: String? = nil) {
      self.place = place
      self.receivedMs = receivedMs
      self.problem = problem
    }
  }

  package enum Input: Sendable {
    case begin
    /// Rows after the place that was asked for; fewer than a whole page when there are no more.
    ///
    /// - isDue: the target has something to do without rows.
    case page([Entry], isWhole: Bool, isDue: Bool)
    case unreadable(String)
    /// - held: the place before rows that the target still holds back; nil if it holds none.
    case answered(SinkAnswer, held: SequencePlace?)
    case kept
    /// The wait is over, or there may be more rows.
    case woken
    case stop
  }

  package enum Command: Hashable, Sendable {
    case read(after: SequencePlace)
    /// Send these rows of the page; an empty range has the target do what is due.
    case send(Range<Int>)
    /// Keep `place` and the counts, and park a row of the page with an answer.
    case keep(parked: Parked?)
    case wait(ms: Int64)
    case end
  }

  package struct Parked: Hashable, Sendable {
    package var row: Int
    package var answer: String

    package init(row: Int, answer: String) {
      self.row = row
      self.answer = answer
    }
  }

  /// What is delivered: rows up to it need not be sent again.
  package private(set) var place: SequencePlace
  package private(set) var delivered = 0
  package private(set) var parked = 0
  package private(set) var rejected = 0
  /// Why the last batch was not delivered; nil while all goes well.
  package private(set) var problem: String?

  /// How far reading has come: beyond `place` while the target holds rows back.
  private var readPlace: SequencePlace
  private var page: [Entry] = []
  /// Parts of the page that are not delivered, in order.
  private var parts: [Range<Int>] = []
  private var retry = RetryDelay()
  private var isPageWhole = false
  /// Whether the target has something to do once the page is delivered.
  private var isDue = false
  private var isStopping = false
  /// Rows that were refused one after the other, with none accepted between them.
  private var refusedInRow = 0
  /// The place before rows that the target holds back.
  private var held: SequencePlace?
  private let isOnce: Bool

  /// After so many refused rows in a row the far end is taken for broken, and each further one waits.
  package static let refusedLimit = 20
  /// How long rows wait for others, in ms.
  package static let windowMs: Int64 = 2000

  /// - Parameter isOnce: ends once everything recorded so far is delivered.
  package init(place: SequencePlace, isOnce: Bool = false) {
    self.place = place
    readPlace = place
    self.isOnce = isOnce
  }

  /// How far rows were read: all of them are delivered or held.
  package var readThrough: SequencePlace { readPlace }

  /// When the oldest row that is not delivered arrived, in ms since 1970; nil if all that was read is delivered.
  package var oldestWaitingMs: Int64? { parts.first.map { page[$0.lowerBound].receivedMs } }

  /// - Parameter random: from 0 up to 1, for waits.
  package mutating func take(_ input: Input, random: Double = 0.5) -> Command {
    switch input {
    case .stop:
      isStopping = true
      return .end
    case .begin, .woken: return next()
    case .page(let entries, let isWhole, let isDue):
      page = entries
      isPageWhole = isWhole
      self.isDue = isDue && !entries.isEmpty
      parts = entries.isEmpty ? [] : [0..<entries.count]
      if let last = entries.last { readPlace = last.place }
      guard entries.isEmpty else { return next() }
      problem = nil
      if isDue { return .send(0..<0) }
      return isOnce ? .end : .wait(ms: Self.windowMs)
    case .unreadable(let words):
      problem = words
      return .wait(ms: retry.next(askedMs: nil, random: random))
    case .answered(let answer, let held):
      self.held = held
      return answered(answer, random)
    case .kept:
      if refusedInRow >= Self.refusedLimit {
        return .wait(ms: retry.next(askedMs: Int(RetryDelay.mostMs), random: random))
      }
      return next()
    }
  }

  private mutating func next() -> Command {
    guard !isStopping else { return .end }
    guard let part = parts.first else {
      if page.isEmpty { return .read(after: readPlace) }
      page = []
      if isDue {
        isDue = false
        return .send(0..<0)
      }
      // A page that is not whole ends at the newest row: the next ones are collected for a while.
      return isPageWhole || isOnce ? .read(after: readPlace) : .wait(ms: Self.windowMs)
    }
    // A row that cannot be sent is parked by itself; what comes before it is sent first.
    guard let bad = part.first(where: { page[$0].problem != nil }) else { return .send(part) }
    if bad > part.lowerBound {
      split(at: bad)
      return .send(part.lowerBound..<bad)
    }
    if part.count > 1 { split(at: bad + 1) }
    return park(bad, page[bad].problem ?? "")
  }

  private mutating func answered(_ answer: SinkAnswer, _ random: Double) -> Command {
    switch answer {
    case .accepted(let left, let words):
      retry.reset()
      refusedInRow = 0
      rejected += left
      problem = left > 0 ? "\(left) rows were left out" + (words.map { ": " + $0 } ?? "") : nil
      guard !parts.isEmpty else {
        // What was due without rows.
        advance(to: readPlace)
        return .keep(parked: nil)
      }
      let part = parts.removeFirst()
      delivered += max(0, part.count - left)
      advance(to: page[part.upperBound - 1].place)
      return .keep(parked: nil)
    case .busy(let words, let askedMs):
      problem = words
      return .wait(ms: retry.next(askedMs: askedMs, random: random))
    case .closed(let words):
      problem = words
      return .wait(ms: retry.next(askedMs: Int(RetryDelay.mostMs), random: random))
    case .refused(let words):
      problem = words
      guard let part = parts.first else {
        return .wait(ms: retry.next(askedMs: nil, random: random))
      }
      guard part.count == 1 else {
        split(at: part.lowerBound + part.count / 2)
        return next()
      }
      refusedInRow += 1
      return park(part.lowerBound, words)
    }
  }

  private mutating func split(at index: Int) {
    let part = parts.removeFirst()
    parts.insert(contentsOf: [part.lowerBound..<index, index..<part.upperBound], at: 0)
  }

  private mutating func park(_ row: Int, _ answer: String) -> Command {
    parts.removeFirst()
    parked += 1
    advance(to: page[row].place)
    return .keep(parked: Parked(row: row, answer: answer))
  }

  /// Never back, and not beyond what the target holds.
  private mutating func advance(to new: SequencePlace) {
    let reached = held.map { $0.seq < new.seq ? $0 : new } ?? new
    if reached.seq > place.seq { place = reached }
  }
}
