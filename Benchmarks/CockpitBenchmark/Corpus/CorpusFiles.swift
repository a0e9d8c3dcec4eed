import Foundation

/// The corpus in the two spellings that are compared: an event stream, and the same actions as
/// JSON lines (in which the time has one name, `createdAt`).
struct CorpusFiles {
  /// Number of rows in an `activity_snapshot` (contract 2.3).
  static let snapshotRows = 220
  /// Live actions between two snapshots: a reconnect now and then.
  static let livePerSnapshot = 1980

  let stream: String
  let lines: String
  let actions: Int
  /// Bytes of JSON of all actions.
  let rawBytes: Int

  /// Writes so many actions, and says where they are.
  static func write(
    actions: Int, mix: CorpusMix = .feed, directory: String, name: String
  ) throws -> CorpusFiles {
    let stream = "\(directory)/\(name).sse"
    let lines = "\(directory)/\(name).jsonl"
    guard FileManager.default.createFile(atPath: stream, contents: nil),
      FileManager.default.createFile(atPath: lines, contents: nil),
      let streamFile = FileHandle(forWritingAtPath: stream),
      let linesFile = FileHandle(forWritingAtPath: lines)
    else { throw BenchmarkError("cannot write to \(directory)") }
    defer {
      try? streamFile.close()
      try? linesFile.close()
    }
    var corpus = CorpusStream(mix: mix)
    var rawBytes = 0
    while corpus.count < actions {
      var (streamBytes, lineBytes) = ([UInt8](), [UInt8]())
      corpus.next(limit: actions) { event, rows in
        streamBytes += event
        for row in rows {
          rawBytes += row.count
          lineBytes += oneName(row)
          lineBytes.append(0x0A)
        }
      }
      try streamFile.write(contentsOf: Data(streamBytes))
      try linesFile.write(contentsOf: Data(lineBytes))
    }
    return CorpusFiles(stream: stream, lines: lines, actions: corpus.count, rawBytes: rawBytes)
  }

  /// The row with the time under its live name: lnav wants one name for it in one file.
  private static func oneName(_ row: [UInt8]) -> [UInt8] {
    guard let place = row.prefix(64).firstRange(of: storedTime) else { return row }
    return row[..<place.lowerBound] + liveTime + row[place.upperBound...]
  }

  private static let storedTime = Array("\"created_at\"".utf8)
  private static let liveTime = Array("\"createdAt\"".utf8)
}

/// The corpus as events: a snapshot of stored rows, then live actions, and again.
struct CorpusStream {
  private var corpus: ActionCorpus
  private var liveLeft = 0
  var count: Int { corpus.count }

  init(mix: CorpusMix = .feed) { corpus = ActionCorpus(mix: mix) }

  /// Gives the next event or a small batch of them, with the JSON of the actions inside.
  mutating func next(limit: Int, _ body: (_ event: [UInt8], _ rows: [[UInt8]]) -> Void) {
    guard liveLeft == 0 else {
      let batch = min(liveLeft, 180, limit - corpus.count)
      for _ in 0..<batch {
        let row = corpus.live()
        body(Array("event: action_event\ndata: ".utf8) + row + [0x0A, 0x0A], [row])
      }
      liveLeft -= batch
      return
    }
    liveLeft = CorpusFiles.livePerSnapshot
    let rows = (0..<min(CorpusFiles.snapshotRows, limit - corpus.count)).map { _ in corpus.stored()
    }
    var event = Array("event: activity_snapshot\ndata: {\"actions\":[".utf8)
    // Newest first, as the backend lists them.
    for (index, row) in rows.reversed().enumerated() {
      if index > 0 { event.append(UInt8(ascii: ",")) }
      event += row
    }
    event += "]}\n\n".utf8
    body(event, rows)
  }
}
