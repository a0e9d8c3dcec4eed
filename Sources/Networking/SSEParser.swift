#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Server-sent events as the WHATWG HTML standard defines them (section 9.2.6, "interpreting an event
/// stream"), on bytes, at any chunk boundary.
///
/// Every byte is inspected a bounded number of times: `memchr` searches the current chunk only, and
/// an unfinished line is buffered and not scanned again. A payload within one chunk is lent without
/// a copy; a large one that spans chunks is copied once.
package struct SSEParser: Sendable {
  /// The largest payload of one event; a larger one is discarded up to its blank line and counted.
  package static let defaultEventLimit = 64 << 20
  /// Longest `event`, `id` or `retry` line; the standard has no limit, a hostile line must have one.
  /// A longer `event` costs its event, which could be no event of the backend; the other two cost
  /// themselves.
  package static let smallFieldLimit = 1 << 20

  /// Committed last event id (set when an event is dispatched or an empty one is skipped).
  package private(set) var lastEventID = ""
  /// The last `retry` field in milliseconds.
  package private(set) var retryMs: Int?
  /// Comment lines seen.
  package private(set) var comments = 0
  /// Events dispatched.
  package private(set) var events = 0
  /// Events thrown away because they were too large.
  package private(set) var discardedEvents = 0

  private let eventLimit: Int
  private var bomMatched = 0
  private var skipLineFeed = false
  /// Bytes of the current line that came in earlier chunks.
  private var line: [UInt8] = []
  /// The current line has bytes, buffered or not.
  private var lineStarted = false
  /// The current line is ignored: its bytes are not buffered.
  private var ignoringLine = false
  /// Payload that no longer lies in the current chunk; valid from `dataStart`.
  private var data: [UInt8] = []
  private var dataStart = 0
  private var dataIsOwned = false
  /// The last distinct `event` name. Nearly all events of a stream share one name, so it survives
  /// from event to event.
  private var eventName: [UInt8] = []
  /// Whether the current event has that name.
  private var isNamed = false
  private var idBuffer = ""
  private var discarding = false
  /// `eventName` as a string, computed on first use.
  private var nameCache: String?

  /// A parser for one connection; `lastEventID` is carried over from the one before.
  package init(eventLimit: Int = defaultEventLimit, lastEventID: String = "") {
    self.eventLimit = eventLimit
    self.lastEventID = lastEventID
    idBuffer = lastEventID
  }

  /// Takes the next bytes of the stream and calls `body` for every event completed by them.
  ///
  /// - Parameter discarded: called with the name of an event that was too large, at its place among
  ///   the others: when its blank line has come.
  package mutating func feed(
    _ bytes: UnsafeRawBufferPointer, discarded: (String) -> Void = { _ in },
    _ body: (borrowing SSEEvent) -> Void
  ) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return }
    var scan = LineScanner(base: base, count: bytes.count)
    skipBOM(&scan)
    var chunkData: Range<Int>?
    while scan.position < scan.count {
      if skipLineFeed {
        skipLineFeed = false
        if base.load(fromByteOffset: scan.position, as: UInt8.self) == 0x0A {
          scan.position += 1
          continue
        }
      }
      let start = scan.position
      guard let end = scan.nextLineEnd() else {
        keepPartial(UnsafeRawBufferPointer(start: base + start, count: scan.count - start))
        break
      }
      if base.load(fromByteOffset: end, as: UInt8.self) == 0x0D { skipLineFeed = true }
      scan.position = end + 1
      finishLine(base, start..<end, &chunkData, discarded, body)
    }
    if let chunkData { own(base, chunkData) }
  }

  // MARK: Lines

  private mutating func finishLine(
    _ base: UnsafeRawPointer, _ range: Range<Int>, _ chunkData: inout Range<Int>?,
    _ discarded: (String) -> Void, _ body: (borrowing SSEEvent) -> Void
  ) {
    if !lineStarted {
      if range.isEmpty {
        dispatch(base, chunkData, discarded, body)
        chunkData = nil
      } else {
        field(base, range, &chunkData)
      }
      return
    }
    keepPartial(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
    if !ignoringLine {
      if let owned = chunkData {
        own(base, owned)
        chunkData = nil
      }
      ownedField()
    }
    clearLine()
  }

  /// Stores the beginning or the middle of a line that is not complete yet.
  private mutating func keepPartial(_ piece: UnsafeRawBufferPointer) {
    guard !piece.isEmpty else { return }
    if !lineStarted {
      lineStarted = true
      if piece[0] == 0x3A {
        comments += 1
        ignoringLine = true
      }
    }
    guard !ignoringLine else { return }
    let needed = line.count + piece.count
    if needed > line.capacity, needed > Self.longLine {
      line.reserveCapacity(max(needed, 2 * line.capacity, Self.longCapacity))
    }
    line.append(contentsOf: piece)
    switch Self.fieldClass(line) {
    case .unknown: break
    case .data where discarding: break
    case .small where line.count > Self.smallFieldLimit + 7:
      if line[0] == UInt8(ascii: "e") { discardEvent() }
    case .data where line.count + data.count - dataStart > eventLimit + 6: discardEvent()
    case .small, .data, .undecided: return
    }
    ignoringLine = true
    line = []
  }

  private mutating func clearLine() {
    line.removeAll(keepingCapacity: line.capacity <= Self.keptCapacity)
    lineStarted = false
    ignoringLine = false
  }

  private enum FieldClass { case undecided, data, small, unknown }

  /// Which field an unfinished line can still become.
  private static func fieldClass(_ line: [UInt8]) -> FieldClass {
    let head = line.prefix(6)
    for (name, result) in [
      ("data", FieldClass.data), ("event", .small), ("id", .small), ("retry", .small),
    ] {
      let name = name.utf8
      if head.count <= name.count {
        if name.starts(with: head) { return .undecided }
      } else if head.starts(with: name), head[head.startIndex + name.count] == 0x3A {
        return result
      }
    }
    return .unknown
  }

  // MARK: Fields

  private mutating func field(
    _ base: UnsafeRawPointer, _ range: Range<Int>, _ chunkData: inout Range<Int>?
  ) {
    let line = UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    let parts = FieldParts(line)
    switch parts.name {
    case .comment: comments += 1
    case .data where discarding: return
    case .data:
      let value = (range.lowerBound + parts.value.lowerBound)..<range.upperBound
      if chunkData == nil, !dataIsOwned {
        if value.count > eventLimit { discardEvent() } else { chunkData = value }
      } else {
        if let first = chunkData {
          own(base, first)
          chunkData = nil
        }
        appendData(UnsafeRawBufferPointer(start: base + value.lowerBound, count: value.count))
      }
    case .event, .id, .retry: small(parts.name, UnsafeRawBufferPointer(rebasing: line[parts.value]))
    case .unknown: return
    }
  }

  /// A line that was put together from several chunks.
  private mutating func ownedField() {
    let parts = line.withUnsafeBytes { FieldParts($0) }
    switch parts.name {
    case .data where discarding: return
    case .data:
      if !dataIsOwned {
        swap(&line, &data)
        dataStart = parts.value.lowerBound
        dataIsOwned = true
        if data.count - dataStart > eventLimit { discardEvent() }
      } else {
        let whole = line
        whole.withUnsafeBytes { appendData(UnsafeRawBufferPointer(rebasing: $0[parts.value])) }
      }
    case .event, .id, .retry:
      let whole = line
      whole.withUnsafeBytes { small(parts.name, UnsafeRawBufferPointer(rebasing: $0[parts.value])) }
    case .comment, .unknown: return
    }
  }

  private mutating func small(_ name: FieldParts.Name, _ value: UnsafeRawBufferPointer) {
    if value.count > Self.smallFieldLimit {
      if name == .event { discardEvent() }
      return
    }
    switch name {
    case .event:
      isNamed = !value.isEmpty
      if isNamed, !Self.equal(eventName, value) {
        eventName.removeAll(keepingCapacity: true)
        eventName.append(contentsOf: value)
        nameCache = nil
      }
    case .id:
      if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
    case .retry:
      guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
      // Saturating: a number of any length is legal.
      retryMs = value.reduce(0) { min($0 &* 10 &+ Int($1 - 0x30), 1 << 40) }
    case .data, .comment, .unknown: return
    }
  }

  // MARK: Payload

  /// Moves a payload that lies in the current chunk to owned memory.
  private mutating func own(_ base: UnsafeRawPointer, _ range: Range<Int>) {
    data.removeAll(keepingCapacity: true)
    data.append(
      contentsOf: UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
    dataStart = 0
    dataIsOwned = true
  }

  private mutating func appendData(_ value: UnsafeRawBufferPointer) {
    guard data.count - dataStart + 1 + value.count <= eventLimit else {
      discardEvent()
      return
    }
    data.append(0x0A)
    data.append(contentsOf: value)
  }

  private mutating func discardEvent() {
    discarding = true
    data = []
    dataStart = 0
    dataIsOwned = false
  }

  /// Buffers above this are given back after use: snapshots are rare and large, and with several
  /// bots each would keep two of them.
  private static let keptCapacity = 1 << 17
  /// A longer line reserves `longCapacity` at once, more than the 220 rows of a usual snapshot
  /// need: doubling would touch new memory and copy at each step.
  private static let longLine = 1 << 16
  private static let longCapacity = 3 << 17

  private mutating func clearEvent() {
    if dataIsOwned {
      data.removeAll(keepingCapacity: data.capacity <= Self.keptCapacity)
      dataStart = 0
      dataIsOwned = false
    }
    isNamed = false
    discarding = false
  }

  private mutating func dispatch(
    _ base: UnsafeRawPointer, _ chunkData: Range<Int>?, _ discarded: (String) -> Void,
    _ body: (borrowing SSEEvent) -> Void
  ) {
    defer { clearEvent() }
    if lastEventID != idBuffer { lastEventID = idBuffer }
    if discarding {
      discardedEvents += 1
      discarded(isNamed ? String(decoding: eventName.prefix(200), as: UTF8.self) : "")
      return
    }
    guard chunkData != nil || dataIsOwned else { return }
    // "If the data buffer is an empty string, set the data buffer and the event type buffer to the
    // empty string and return": the buffer holds one LF per data line, so a single empty data line
    // is an event with empty data, and it is dispatched.
    events += 1
    let name = takenName()
    let id = lastEventID
    if let range = chunkData {
      let payload = UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
      body(SSEEvent(name: name, data: payload, lastEventID: id))
    } else {
      data.withUnsafeBytes {
        let payload = UnsafeRawBufferPointer(rebasing: $0[dataStart...])
        body(SSEEvent(name: name, data: payload, lastEventID: id))
      }
    }
  }

  /// The name of the current event.
  private mutating func takenName() -> String {
    guard isNamed else { return "message" }
    if let nameCache { return nameCache }
    let name = String(decoding: eventName, as: UTF8.self)
    nameCache = name
    return name
  }

  @inline(__always)
  private static func equal(_ known: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard known.count == bytes.count, let base = bytes.baseAddress else { return false }
    return known.withUnsafeBytes {
      $0.baseAddress.map { memcmp($0, base, bytes.count) == 0 } ?? false
    }
  }

  // MARK: Byte order mark

  private static let bom: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// One leading byte order mark is not part of the stream. `bomMatched` is 3 once that is settled.
  private mutating func skipBOM(_ scan: inout LineScanner) {
    while bomMatched < 3, scan.position < scan.count {
      guard scan.byte == Self.bom[bomMatched] else {
        let prefix = Array(Self.bom[..<bomMatched])
        bomMatched = 3
        prefix.withUnsafeBytes { keepPartial($0) }
        return
      }
      bomMatched += 1
      scan.position += 1
    }
  }
}
