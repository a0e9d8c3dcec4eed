import CockpitDomain
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@testable import CockpitHistory
import HistoryTestKit

/// Where files lie: read-only, pinned, too old, cut off.
@Suite struct PlaceTests {
  @Test("a folder that is read-only is read; recording there says why it cannot")
  func readOnly() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(300, into: place.path, seed: 4)
    chmod(place.path, 0o500)
    defer { chmod(place.path, 0o700) }
    let history = try HistoryFolder(place.path)
    #expect(
      try history.rows(notAfterMs: .max, limit: 1000, skipping: 0).count == truth.rows.count)
    guard geteuid() != 0 else { return }
    let recorder = HistoryRecorder(folder: place.path, .test()) { RecorderTests.startMs }
    while recorder.state.activity == .starting { usleep(2000) }
    guard case .failed(let reason) = recorder.state.activity else {
      Issue.record("\(recorder.state)")
      return
    }
    #expect(reason.contains("may not write"))
    recorder.stop()
  }

  @Test("old days go when a recorder begins, pinned ones stay, and the rest is read as before")
  func retention() throws {
    let place = HistoryPlaceForTests()
    _ = RecorderTests.record(3000, into: place.path, seed: 4)
    func days() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: place.path)
        .filter { $0.hasPrefix("2026") && $0.hasSuffix(".db") }.sorted()
    }
    #expect(try days() == ["2026-11-24.db", "2026-11-25.db"])
    let later = RecorderTests.startMs + 4 * 86_400_000
    let pin = try HistoryNotes.pin(
      RecorderTests.startMs - 7_200_000...RecorderTests.startMs - 3_900_000, note: "why",
      in: place.path)
    func begin() {
      let recorder = HistoryRecorder(folder: place.path, .test(keepMs: 86_400_000)) { later }
      while recorder.state.activity == .starting { usleep(2000) }
      #expect(recorder.stop(waiting: 60))
    }
    begin()
    #expect(try days() == ["2026-11-24.db", "2026-11-28.db"])
    let span = try #require(try HistoryFolder(place.path).span())
    #expect(span.lowerBound < RecorderTests.startMs)
    #expect(try HistoryNotes.unpin(pin, in: place.path))
    #expect(try !HistoryNotes.unpin(pin, in: place.path))
    begin()
    #expect(try days() == ["2026-11-28.db"])
  }

  @Test("a damaged notes.db is set aside, and its pins are read back from the day files")
  func recoveredPins() throws {
    let place = HistoryPlaceForTests()
    try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
    let pinned = RecorderTests.startMs + 600_000...RecorderTests.startMs + 1_200_000
    try HistoryNotes.pin(pinned, note: "why", in: place.path)
    let truth = RecorderTests.record(3000, into: place.path, seed: 4)
    try Data("this is a letter and no database".utf8)
      .write(to: URL(filePath: place.path + "/notes.db"))
    let later = RecorderTests.startMs + 4 * 86_400_000
    let recorder = HistoryRecorder(folder: place.path, .test(keepMs: 86_400_000)) { later }
    #expect(recorder.stop(waiting: 60))
    #expect(recorder.state.lastError?.contains("1 pins were read back") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    #expect(names.contains { $0.hasPrefix("notes.db.broken-") })
    let pins = try HistoryNotes.pins(in: place.path)
    #expect(pins.map(\.fromMs) == [pinned.lowerBound] && pins.map(\.note) == ["why"])
    // The day must go but for what is pinned: blocks that touch it, as they were.
    let history = try HistoryFolder(place.path)
    let rows = try history.rows(notAfterMs: .max, limit: 10_000, skipping: 0)
    #expect(rows.count < truth.rows.count)
    #expect(Set(truth.rows.map(\.json)).isSuperset(of: rows.map(\.json)))
    let wanted = truth.rows.filter { pinned.contains($0.atMs) }
    #expect(!wanted.isEmpty && Set(rows.map(\.seq)).isSuperset(of: wanted.map(\.seq)))
    #expect(try history.outages(after: 0, through: .max).contains { $0.reason == .removed })
    #expect(try HistoryUpkeep.verify(place.path).allSatisfy(\.isSound))
    let state = try #require(
      try history.document("stats", notAfterMs: pinned.lowerBound + 300_000))
    #expect(truth.documents.contains { $0.body == state.body })
  }

  @Test("pins that alone take more than max are said")
  func tooManyPins() throws {
    let place = HistoryPlaceForTests()
    _ = RecorderTests.record(3000, into: place.path, seed: 4)
    try HistoryNotes.pin(0...Int64.max / 4, note: "all", in: place.path)
    let later = RecorderTests.startMs + 4 * 86_400_000
    let recorder = HistoryRecorder(folder: place.path, .test(maxBytes: 1000)) { later }
    #expect(recorder.stop(waiting: 60))
    #expect(recorder.state.lastError?.contains("pins alone keep") == true)
    #expect(
      try HistoryFolder(place.path).rows(notAfterMs: .max, limit: 10_000, skipping: 0).count == 3000
    )
  }

  @Test("no file is removed while the pins cannot be read")
  func damagedPins() throws {
    let place = HistoryPlaceForTests()
    _ = RecorderTests.record(3000, into: place.path, seed: 4)
    try Data("this is a letter and no database".utf8)
      .write(to: URL(filePath: place.path + "/notes.db"))
    for name in ["2026-11-24.db", "2026-11-25.db"] {
      // As if no copy of the pins had been written.
      try Database(place.path + "/" + name, for: .writing)
        .run("DELETE FROM meta WHERE key = 'pins'")
    }
    let later = RecorderTests.startMs + 4 * 86_400_000
    let recorder = HistoryRecorder(folder: place.path, .test(keepMs: 86_400_000)) { later }
    #expect(recorder.stop(waiting: 60))
    #expect(recorder.state.lastError?.contains("notes.db") == true)
    #expect(FileManager.default.fileExists(atPath: place.path + "/2026-11-24.db"))
    #expect(throws: HistoryError.self) {
      try HistoryUpkeep.prune(
        place.path, keepMs: 1, maxBytes: nil, nowMs: later, isTrial: false)
    }
  }

  @Test("a playhead goes from turn to turn over all files, as the rows say")
  func turns() throws {
    let place = HistoryPlaceForTests()
    let names = [
      ("sent_reply", "hello"), ("llm_call", "x"), ("voice_runtime", "voice_turn_finalized"),
      ("voice_runtime", "voice_turn_addressing"), ("reply_skipped", "no"), ("memory_fact", "y"),
    ]
    let clock = TestClock(RecorderTests.startMs)
    let recorder = HistoryRecorder(folder: place.path, .test()) { clock.now }
    var samples = HistorySamples(seed: 9)
    var times: [Int64] = []
    for index in 0..<600 {
      let (kind, content) = names[samples.random(names.count)]
      let atMs = RecorderTests.startMs + Int64(index) * 1000
      clock.set(atMs)
      let json = """
        {"kind":"\(kind)","content":"\(content)","createdAt":"\(HistorySamples.iso(atMs))",\
        "metadata":{"systemPrompt":"\(String(repeating: "much ", count: samples.random(900)))"}}
        """
      Array(json.utf8).withUnsafeBytes {
        recorder.row(number: index + 1, receivedMs: atMs, channels: .activity, json: $0)
      }
      if TurnRow.kinds.contains(kind) || TurnRow.events.contains(content) { times.append(atMs) }
    }
    #expect(recorder.stop(waiting: 60))
    let history = try HistoryFolder(place.path)
    for index in 0..<600 {
      let from = RecorderTests.startMs + Int64(index) * 1000
      #expect(try history.next(.turn, from: from, isOlder: true) == times.last { $0 < from })
      #expect(try history.next(.turn, from: from, isOlder: false) == times.first { $0 > from })
    }
    #expect(times.count > 200)
  }

  @Test("a removed mark is gone, and only that one")
  func unmark() throws {
    let place = HistoryPlaceForTests()
    _ = RecorderTests.record(20, into: place.path, seed: 4, runs: 1)
    let id = try HistoryNotes.mark(atMs: 20, note: "one", in: place.path)
    try HistoryNotes.mark(atMs: 20, note: "other", in: place.path)
    #expect(try HistoryNotes.unmark(id, in: place.path))
    #expect(try !HistoryNotes.unmark(id, in: place.path))
    #expect(try HistoryFolder(place.path).marks().map(\.note) == ["other"])
  }

  @Test("marks are kept in their order, and a playhead finds them")
  func marks() throws {
    let place = HistoryPlaceForTests()
    _ = RecorderTests.record(20, into: place.path, seed: 4, runs: 1)
    try HistoryNotes.mark(atMs: 20, note: "second", in: place.path)
    try HistoryNotes.mark(atMs: 10, note: "first", in: place.path)
    #expect(try HistoryNotes.marks(in: place.path).map(\.note) == ["first", "second"])
    let history = try HistoryFolder(place.path)
    #expect(try history.next(.mark, from: 15, isOlder: true) == 10)
    #expect(try history.next(.mark, from: 15, isOlder: false) == 20)
    #expect(try history.next(.mark, from: 20, isOlder: false) == nil)
  }

  /// Runs mount(8) or umount(8); false where that is not allowed.
  private func run(_ arguments: String...) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  @Test("a full disk pauses recording; what was written is read, and it goes on when there is room")
  func fullDisk() throws {
    let place = HistoryPlaceForTests()
    try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
    guard try run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", place.path) else {
      print("no full disk: a small file system may not be mounted here")
      return
    }
    defer { _ = try? run("umount", "-l", place.path) }
    let folder = place.path + "/history"
    var settings = RecorderSettings.test()
    settings.retryMs = 50
    var samples = HistorySamples(seed: 5)
    let recorder = HistoryRecorder(folder: folder, settings) { RecorderTests.startMs }
    var given = 0
    func give(_ count: Int) {
      for _ in 0..<count {
        let row = samples.row(given, atMs: RecorderTests.startMs + Int64(given), padding: 8000)
        row.json.withUnsafeBytes {
          recorder.row(
            number: given, receivedMs: RecorderTests.startMs, channels: .activity, json: $0)
        }
        given += 1
      }
    }
    var isPaused = false
    for _ in 0..<400 where !isPaused {
      give(20)
      usleep(20_000)
      if case .paused(let reason) = recorder.state.activity {
        isPaused = true
        #expect(reason.contains("full"))
      }
    }
    #expect(isPaused)
    let written = recorder.state.rows
    let history = try HistoryFolder(folder)
    #expect(try history.rows(notAfterMs: .max, limit: 100_000, skipping: 0).count == written)
    #expect(history.damage == HistoryDamage())
    #expect(try run("mount", "-o", "remount,size=200m", place.path))
    for _ in 0..<200 where recorder.state.rows < given { usleep(50_000) }
    #expect(recorder.stop(waiting: 60))
    #expect(try history.rows(notAfterMs: .max, limit: 100_000, skipping: 0).count == given)
    let outages = try history.outages(after: 0, through: .max)
    #expect(outages.contains { $0.reason == .diskFull })
  }

  @Test("verify reads every record and names what is damaged; the index is rebuilt")
  func upkeep() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(900, into: place.path, seed: 12)
    let sound = try HistoryUpkeep.verify(place.path)
    #expect(sound.reduce(0) { $0 + $1.rows } == truth.rows.count)
    #expect(sound.reduce(0) { $0 + $1.documents } == truth.documents.count)
    #expect(!sound.contains { !$0.isSound })
    let query = HistorySearch("silent")
    let before = try HistoryFolder(place.path).search(query, limit: 1000).rows
    let path = place.path + "/2026-11-24.db"
    try Database(path, for: .writing).run("INSERT INTO words (words) VALUES ('delete-all')")
    #expect(try HistoryFolder(place.path).search(query, limit: 1000).rows.count < before.count)
    #expect(try HistoryUpkeep.rebuildWords(place.path) > 0)
    #expect(try HistoryFolder(place.path).search(query, limit: 1000).rows == before)
    var bytes = try Data(contentsOf: URL(filePath: path))
    // Many places after the header, because some pages are free.
    for at in stride(from: 5000, to: bytes.count, by: 999) { bytes[at] ^= 0xFF }
    try bytes.write(to: URL(filePath: path))
    let damaged = try HistoryUpkeep.verify(place.path)
    #expect(damaged.contains { !$0.isSound })
  }

  @Test("an overview has days, sizes and pins")
  func overview() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(3000, into: place.path, seed: 4)
    try HistoryNotes.pin(
      RecorderTests.startMs - 7_200_000...RecorderTests.startMs - 3_900_000, note: "why",
      in: place.path)
    let overview = try HistoryOverview.read(place.path)
    #expect(overview.days.map(\.name) == ["2026-11-24.db", "2026-11-25.db"])
    #expect(overview.days.reduce(0) { $0 + $1.rows } == truth.rows.count)
    #expect(overview.days.map(\.isPinned) == [true, false])
    #expect(overview.recorder == nil)
    #expect(overview.status != nil)
    let parent = String(
      place.path.prefix(upTo: place.path.lastIndex(of: "/") ?? place.path.endIndex))
    #expect(HistoryOverview.bots(in: parent).contains { place.path.hasSuffix($0) })
    #expect(throws: HistoryError.self) { try HistoryOverview.read(place.path + "/nothing") }
  }
}
