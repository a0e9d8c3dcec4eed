import CockpitDomain
import CockpitHistory
import Foundation
import HistoryTestKit
import Testing

@Suite struct RecorderTests {
  /// 2026-11-24 22:00 UTC.
  static let startMs: Int64 = 1_795_557_600_000

  /// What was given to a recorder, kept beside it.
  struct Truth {
    var rows: [RecordedRow] = []
    var documents: [RecordedDocument] = []
    var samples: [Int64: HistorySamples.Row] = [:]

    var history: MemoryHistory {
      MemoryHistory(
        rows: rows, documents: documents,
        session: { [samples] in samples[$0.seq]?.session },
        traits: { [samples] row in
          let sample = samples[row.seq]
          return (sample?.isFailure ?? false, sample?.isVoice ?? false)
        },
        words: { [samples] in samples[$0.seq]?.words ?? [] })
    }
  }

  /// Records rows over some hours, past midnight; some are late, some get their ids or longer bytes later.
  static func record(
    _ count: Int, into folder: String, seed: UInt64, runs: Int = 2, stepMs: Int64 = 8000,
    isDamaged: Bool = false
  ) -> Truth {
    var samples = HistorySamples(seed: seed)
    var truth = Truth()
    let clock = TestClock(startMs)
    var seq: Int64 = 1
    for run in 0..<runs {
      let recorder = HistoryRecorder(folder: folder, .test()) { clock.now }
      let base = seq
      for index in 0..<count / runs {
        let now = startMs + Int64(truth.rows.count) * stepMs
        clock.set(now)
        if index % 500 == 499 { settle(recorder, index) }
        let number = run * count + index
        let atMs = samples.random(20) == 0 ? now - Int64(samples.random(7_200_000)) : now
        let sample = samples.row(number, atMs: atMs)
        let channels: RowOrigins = sample.isVoice ? .voice : .activity
        sample.json.withUnsafeBytes {
          recorder.row(number: Int(seq - base), receivedMs: now, channels: channels, json: $0)
        }
        truth.rows.append(
          RecordedRow(
            seq: seq, atMs: atMs, receivedMs: now, actionID: nil, channels: channels,
            json: sample.json))
        truth.samples[seq] = sample
        if index > 60 {
          let place = truth.rows.count - 1 - samples.random(60)
          let known = truth.rows[place]
          let knownNumber = Int(known.seq - base)
          if samples.random(3) > 0, known.actionID == nil {
            let id = Int(known.seq) + 1000
            recorder.learned(number: knownNumber, actionID: id, channels: .stored)
            truth.rows[place].actionID = id
            truth.rows[place].channels.insert(.stored)
          } else if samples.random(10) == 0 {
            let longer = known.json.dropLast() + Array(",\"more\":\(index)}".utf8)
            Array(longer).withUnsafeBytes { recorder.replaced(number: knownNumber, json: $0) }
            truth.rows[place].json = Array(longer)
          }
        }
        if index % 7 == 0 {
          let name = ["stats", "voice_state", "GET /api/facts?limit=5"][samples.random(3)]
          let body = Array(
            "{\"at\":\(number),\"what\":\"\(String(repeating: "same ", count: 300))\"}".utf8)
          // A repetition is left out.
          for _ in 0..<(index < 100 ? 2 : 1) {
            body.withUnsafeBytes {
              recorder.document(name: name, atMs: now + 3, receivedMs: now, body: $0)
            }
          }
          truth.documents.append(
            RecordedDocument(seq: seq, name: name, atMs: now + 3, receivedMs: now, body: body))
        }
        seq += 1
      }
      #expect(recorder.stop(waiting: 60))
      #expect(recorder.state.rows == count / runs)
      #expect(isDamaged || recorder.state.lastError == nil)
    }
    return truth
  }

  /// Waits until all is written, so that the clock of the next rows is not that of these.
  private static func settle(_ recorder: HistoryRecorder, _ rows: Int) {
    for _ in 0..<2000 where recorder.state.rows < rows { usleep(5000) }
  }

  @Test("what was recorded comes back: rows by time, pages, session and id, documents, words")
  func roundTrip() throws {
    let place = HistoryPlaceForTests()
    let truth = Self.record(3000, into: place.path, seed: 7)
    let memory = truth.history
    let history = try HistoryFolder(place.path)
    let files = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
    #expect(files.filter { $0.hasSuffix(".db") }.count == 2)
    #expect(try history.span() == memory.span())
    let all = try history.rows(notAfterMs: .max, limit: 10_000, skipping: 0)
    #expect(all.count == memory.rows.count)
    #expect(all == memory.rows(notAfterMs: .max, limit: 10_000, skipping: 0))
    var samples = HistorySamples(seed: 3)
    let span = try #require(memory.span())
    let length = Int(span.upperBound - span.lowerBound)
    for _ in 0..<40 {
      let at = span.lowerBound + Int64(samples.random(length))
      let until = at + Int64(samples.random(3_000_000))
      let limit = 1 + samples.random(300)
      #expect(
        try history.rows(notAfterMs: at, limit: limit, skipping: 20)
          == memory.rows(notAfterMs: at, limit: limit, skipping: 20))
      let page = HistoryPlace(atMs: at, seq: Int64(samples.random(3000)))
      #expect(
        try history.rows(before: page, limit: limit) == memory.rows(before: page, limit: limit))
      #expect(
        try history.rows(after: at, through: until, limit: limit)
          == memory.rows(after: at, through: until, limit: limit))
      #expect(
        try history.sessionRows("session-2", notAfterMs: at, limit: limit)
          == memory.sessionRows("session-2", notAfterMs: at, limit: limit))
      let name = ["stats", "voice_state", "GET /api/facts?limit=5"][samples.random(3)]
      #expect(
        try history.document(name, notAfterMs: at) == memory.document(name, notAfterMs: at))
      #expect(
        try history.documents(after: at, through: until)
          == memory.documents(after: at, through: until))
      #expect(
        try history.density(after: at, through: until, buckets: 50)
          == memory.density(after: at, through: until, buckets: 50))
      for isOlder in [true, false] {
        #expect(
          try history.next(.error, from: at, isOlder: isOlder)
            == memory.next(.error, from: at, isOlder: isOlder))
        #expect(
          try history.next(.day, from: at, isOlder: isOlder)
            == memory.next(.day, from: at, isOlder: isOlder))
      }
      let id = 1000 + samples.random(3000)
      #expect(try history.row(actionID: id) == memory.row(actionID: id))
    }
    #expect(try history.documentNames(notAfterMs: .max) == memory.documentNames(notAfterMs: .max))
    #expect(history.damage == HistoryDamage())
  }

  @Test(
    "words, phrases, prefixes and exclusions are found, page by page",
    arguments: [
      "row17", "silent bot", "\"silent bot\"", "kas*", "spater -music", "\"我喜\"", "喜",
      "row29* night",
      "nothere",
    ])
  func search(text: String) throws {
    let place = HistoryPlaceForTests()
    // Past midnight in the second run: ids of rows of the first day become known on the second.
    let truth = Self.record(900, into: place.path, seed: 9, stepMs: 12_000)
    let history = try HistoryFolder(place.path)
    let query = HistorySearch(text)
    #expect(text == "nothere" || !truth.history.search(query, limit: 1).rows.isEmpty)
    let expected = truth.history.search(query, limit: .max).rows.map(\.seq).sorted(by: >)
    var found: [Int64] = []
    var page = query
    repeat {
      let hits = try history.search(page, limit: 25)
      #expect(hits.unindexedFiles == 0)
      #expect(hits.rows.allSatisfy { row in truth.rows.contains(row) })
      found += hits.rows.map(\.seq)
      page.before = hits.next
    } while page.before != nil
    #expect(found == expected)
  }

  @Test("a stretch without a recorder is an outage, and the next run goes on with the numbers")
  func outage() throws {
    let place = HistoryPlaceForTests()
    _ = Self.record(20, into: place.path, seed: 1, runs: 1)
    let clock = TestClock(Self.startMs + 3_600_000)
    let recorder = HistoryRecorder(folder: place.path, .test()) { clock.now }
    recorder.stop(waiting: 60)
    let history = try HistoryFolder(place.path)
    let outage = try #require(try history.outages(after: 0, through: .max).first)
    #expect(outage.reason == .stopped)
    #expect(outage.fromMs == Self.startMs + 19 * 8000)
    #expect(outage.toMs == clock.now)
    #expect(try history.next(.gap, from: .max, isOlder: true) == outage.fromMs)
    #expect(try history.link(.started, notAfterMs: .max)?.atMs == clock.now)
  }

  @Test("a second recorder writes nothing, and takes over when the first is gone")
  func twoRecorders() throws {
    let place = HistoryPlaceForTests()
    let first = HistoryRecorder(folder: place.path, .test()) { Self.startMs }
    while first.state.activity == .starting { usleep(2000) }
    #expect(first.state.activity == .recording)
    var settings = RecorderSettings.test()
    settings.retryMs = 20
    let second = HistoryRecorder(folder: place.path, settings) { Self.startMs }
    while second.state.activity == .starting { usleep(2000) }
    #expect(second.state.activity == .other(pid: Int(getpid())))
    first.stop()
    for _ in 0..<2000 where second.state.activity != .recording { usleep(5000) }
    #expect(second.state.activity == .recording)
    second.stop()
  }

  @Test("files are for their owner alone; a link in their place is refused")
  func modes() throws {
    let place = HistoryPlaceForTests()
    _ = Self.record(20, into: place.path, seed: 1, runs: 1)
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
      let attributes = try FileManager.default.attributesOfItem(atPath: place.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    let other = HistoryPlaceForTests()
    try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: other.path + "/2026-11-24.db", withDestinationPath: place.path + "/2026-11-24.db")
    let recorder = HistoryRecorder(folder: other.path, .test()) { Self.startMs }
    while recorder.state.activity == .starting { usleep(2000) }
    guard case .failed(let reason) = recorder.state.activity else {
      Issue.record("\(recorder.state)")
      return
    }
    #expect(reason.contains("not a file of yours"))
    recorder.stop()
  }

  @Test("what does not fit into the buffer is counted, and the loss is an outage")
  func loss() throws {
    let place = HistoryPlaceForTests()
    var samples = HistorySamples()
    let recorder = HistoryRecorder(
      folder: place.path, .test(windowMs: 300, bufferBytes: 20_000)
    ) { Self.startMs }
    for number in 0..<200 {
      let row = samples.row(number, atMs: Self.startMs)
      row.json.withUnsafeBytes {
        recorder.row(number: number, receivedMs: Self.startMs, channels: .activity, json: $0)
      }
    }
    recorder.stop(waiting: 60)
    #expect(recorder.state.lostRows > 0)
    #expect(recorder.state.rows + recorder.state.lostRows == 200)
    let history = try HistoryFolder(place.path)
    #expect(
      try history.rows(notAfterMs: .max, limit: 1000, skipping: 0).count == recorder.state.rows)
    let outage = try #require(try history.outages(after: 0, through: .max).first)
    #expect(outage.reason == .lost)
    #expect(outage.rows == recorder.state.lostRows)
  }
}
