internal import CockpitDomain

/// Records that wait for the disk: their bytes, concatenated, and what they are.
struct RecorderBatch: Sendable {
  enum Item: Sendable {
    /// Numbers are those of the run.
    case row(number: Int64, receivedMs: Int64, RowOrigins, Range<Int>)
    case learned(number: Int64, actionID: Int?, RowOrigins)
    case replaced(number: Int64, Range<Int>)
    case document(name: String, atMs: Int64, receivedMs: Int64, Range<Int>)
    case link(RecordedLink.What, atMs: Int64, receivedMs: Int64, Range<Int>)
  }

  private(set) var items: [Item] = []
  private(set) var bytes: [UInt8] = []
  private(set) var rows = 0
  private(set) var documents = 0

  var isEmpty: Bool { items.isEmpty }

  /// Approximate size in memory, in bytes.
  var weight: Int { bytes.count + items.count * 64 }

  mutating func add(_ json: UnsafeRawBufferPointer, _ item: (Range<Int>) -> Item) {
    let start = bytes.count
    bytes.append(contentsOf: json)
    let item = item(start..<bytes.count)
    switch item {
    case .row: rows += 1
    case .document: documents += 1
    default: break
    }
    items.append(item)
  }
}

extension RecorderBatch {
  /// Adds a record about the recording itself; `ms` is when, since 1970.
  mutating func addLink(_ what: RecordedLink.What, _ ms: Int64, _ value: [UInt8]) {
    value.withUnsafeBytes { bytes in
      add(bytes) { .link(what, atMs: ms, receivedMs: ms, $0) }
    }
  }
}
