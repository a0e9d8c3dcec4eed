import CockpitDomain
import Foundation
import LenientJSON
import Synchronization
import Testing

@testable import CockpitHistory
import HistoryTestKit

/// The table "When things go wrong" of docs/history.md. Its rows and their tests:
///
/// | Row | Test |
/// |---|---|
/// | the program is killed | `KillTests.kills` |
/// | a power cut | `tornLog` |
/// | a full disk | `PlaceTests.fullDisk` |
/// | a read-only folder | `PlaceTests.readOnly` |
/// | a flipped bit, a file that is cut, a page of zeros | `DamageTests.flipped`, `DamageTests.cut`, `zeros`, `RepairTests` |
/// | a damaged prefix | `prefixes` |
/// | damaged words, damaged notes | `PlaceTests.upkeep`, `PlaceTests.recoveredPins`, `PlaceTests.damagedPins` |
/// | two recorders | `RecorderTests.twoRecorders` |
/// | a network file system | `network`, `mounts` |
/// | this machine's clock is set | `clockStep` |
/// | the bot's clock is off, its log begins anew | `RecordingTests` of CockpitSession |
/// | a newer format | `DamageTests.newer` |
/// | the machine sleeps | `asleep` |
@Suite struct TroubleTests {
  @Test(
    "a folder on a network file system is refused with the reason; --force writes without words")
  func network() throws {
    let place = HistoryPlaceForTests()
    let clock = RecorderClock { RecorderTests.startMs }
    let refused = HistoryRecorder(
      folder: place.path, .test(), clock: clock, network: { _ in "nfs4" })
    while refused.state.activity == .starting { usleep(2000) }
    guard case .failed(let reason) = refused.state.activity else {
      Issue.record("\(refused.state)")
      return
    }
    #expect(reason.contains("network file system (nfs4)") && reason.contains("--force"))
    refused.stop()
    var settings = RecorderSettings.test()
    settings.allowsNetwork = true
    let forced = HistoryRecorder(
      folder: place.path, settings, clock: clock, network: { _ in "nfs4" })
    var samples = HistorySamples()
    let row = samples.row(1, atMs: RecorderTests.startMs)
    row.json.withUnsafeBytes {
      forced.row(number: 0, receivedMs: RecorderTests.startMs, channels: .activity, json: $0)
    }
    #expect(forced.stop(waiting: 60))
    let history = try HistoryFolder(place.path)
    #expect(try history.rows(notAfterMs: .max, limit: 10, skipping: 0).count == 1)
    #expect(try history.search(HistorySearch("row1"), limit: 10).unindexedFiles == 1)
    let mode = try Database(place.path + "/2026-11-24.db", for: .reading).text(
      "PRAGMA journal_mode")
    #expect(mode == "delete")
  }

  @Test("the type of a file system is that of its longest mount point")
  func mounts() {
    let mounts = """
      22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
      30 22 0:40 / /home rw,relatime shared:1 - nfs4 server:/home rw
      31 30 0:41 / /home/local\\040disk rw,relatime - xfs /dev/sda1 rw
      32 22 0:42 / /home/me/far rw - fuse.sshfs me@far:/ rw
      """
    #expect(FileSystemKind.type(of: "/var/lib", in: mounts) == "ext4")
    #expect(FileSystemKind.type(of: "/home/me/x", in: mounts) == "nfs4")
    #expect(FileSystemKind.type(of: "/homely", in: mounts) == "ext4")
    #expect(FileSystemKind.type(of: "/home/local disk/x", in: mounts) == "xfs")
    #expect(
      FileSystemKind.network(FileSystemKind.type(of: "/home/me/far", in: mounts)) == "fuse.sshfs")
    #expect(FileSystemKind.network("ext4") == nil)
    #expect(FileSystemKind.network(of: "/proc") == nil)
  }

  @Test("a clock that is set back: arrival keeps its order and its times, and the step is a record")
  func clockStep() throws {
    let place = HistoryPlaceForTests()
    let wall = TestClock(RecorderTests.startMs)
    let steady = TestClock(0)
    let recorder = HistoryRecorder(
      folder: place.path, .test(),
      clock: RecorderClock(
        nowMs: { wall.now }, steadyMs: { steady.now }, asleepMs: { 0 }))
    var samples = HistorySamples()
    func give(_ number: Int) {
      let row = samples.row(number, atMs: RecorderTests.startMs + Int64(number))
      row.json.withUnsafeBytes {
        recorder.row(number: number, receivedMs: wall.now, channels: .activity, json: $0)
      }
      for _ in 0..<2000 where recorder.state.rows <= number { usleep(2000) }
    }
    give(0)
    wall.set(RecorderTests.startMs - 3_600_000)
    steady.set(1000)
    give(1)
    give(2)
    #expect(recorder.stop(waiting: 60))
    let history = try HistoryFolder(place.path)
    let rows = try history.rows(notAfterMs: .max, limit: 10, skipping: 0).sorted { $0.seq < $1.seq }
    #expect(
      rows.map(\.receivedMs) == [
        RecorderTests.startMs, RecorderTests.startMs, RecorderTests.startMs,
      ])
    let steps = try history.links(after: .min, through: .max).filter { $0.what == .clockStep }
    #expect(steps.count == 1)
    let value = try #require(steps.first?.value)
    #expect(try value.withUnsafeBytes { try JSONValue.parse($0) }["by_ms"]?.int == -3_601_000)
  }

  @Test("a machine that slept: a record, and a stretch that the past shows as asleep")
  func asleep() throws {
    let place = HistoryPlaceForTests()
    let wall = TestClock(RecorderTests.startMs)
    let asleep = TestClock(0)
    let recorder = HistoryRecorder(
      folder: place.path, .test(),
      clock: RecorderClock(
        nowMs: { wall.now }, steadyMs: { wall.now }, asleepMs: { asleep.now }))
    while recorder.state.activity == .starting { usleep(2000) }
    wall.set(RecorderTests.startMs + 7_200_000)
    asleep.set(7_100_000)
    var samples = HistorySamples()
    let row = samples.row(0, atMs: wall.now)
    row.json.withUnsafeBytes {
      recorder.row(number: 0, receivedMs: wall.now, channels: .activity, json: $0)
    }
    #expect(recorder.stop(waiting: 60))
    let history = try HistoryFolder(place.path)
    let outage = try #require(
      try history.outages(after: 0, through: .max).first { $0.reason == .asleep })
    #expect(outage.fromMs == RecorderTests.startMs + 100_000)
    #expect(outage.toMs == RecorderTests.startMs + 7_200_000)
    #expect(try history.link(.asleep, notAfterMs: .max) != nil)
  }

  @Test("a recorder that hears nothing says once a minute that it runs")
  func heard() throws {
    let place = HistoryPlaceForTests()
    let clock = TestClock(RecorderTests.startMs)
    let recorder = HistoryRecorder(folder: place.path, .test()) { clock.now }
    while recorder.state.activity == .starting { usleep(2000) }
    clock.set(RecorderTests.startMs + 61_000)
    // A row that is no action wakes the thread, and is not written.
    recorder.learned(number: 0, actionID: nil, channels: .activity)
    #expect(recorder.stop(waiting: 60))
    let last = try #require(LastRecord.read(place.path + "/2026-11-24.db"))
    #expect(last.ms == RecorderTests.startMs + 61_000)
  }

  @Test(
    "a power cut: a write-ahead log that ends anywhere gives the first rows, each whole, and no damage"
  )
  func tornLog() throws {
    let place = HistoryPlaceForTests()
    let recorder = HistoryRecorder(folder: place.path, .test()) { RecorderTests.startMs }
    var samples = HistorySamples(seed: 8)
    var given: [[UInt8]] = []
    for number in 0..<300 {
      let row = samples.row(number, atMs: RecorderTests.startMs + Int64(number))
      row.json.withUnsafeBytes {
        recorder.row(
          number: number, receivedMs: RecorderTests.startMs, channels: .activity, json: $0)
      }
      given.append(row.json)
      if number % 20 == 19 {
        for _ in 0..<2000 where recorder.state.rows <= number { usleep(1000) }
      }
    }
    let name = "/2026-11-24.db"
    let file = try Data(contentsOf: URL(filePath: place.path + name))
    let log = try Data(contentsOf: URL(filePath: place.path + name + "-wal"))
    #expect(log.count > 100_000)
    for _ in 0..<20 {
      let cut = HistoryPlaceForTests()
      try FileManager.default.createDirectory(atPath: cut.path, withIntermediateDirectories: true)
      try file.write(to: URL(filePath: cut.path + name))
      try log.prefix(samples.random(log.count)).write(to: URL(filePath: cut.path + name + "-wal"))
      guard let history = try? HistoryFolder(cut.path),
        let rows = try? history.rows(notAfterMs: .max, limit: 1000, skipping: 0)
      else { continue }
      #expect(rows.reversed().map(\.json) == Array(given.prefix(rows.count)))
      #expect(history.damage.rows == 0)
    }
    recorder.stop(waiting: 60)
  }

  @Test("a damaged prefix: the second copy is read; without both the columns stay")
  func prefixes() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(900, into: place.path, seed: 6, runs: 1, stepMs: 100)
    let tomorrow = RecorderTests.startMs + 86_400_000
    HistoryRecorder(folder: place.path, .test()) { tomorrow }.stop(waiting: 60)
    let path = place.path + "/2026-11-24.db"
    try Database(path, for: .writing).run("UPDATE prefix SET body = zeroblob(99) WHERE copy = 1")
    let rows = try HistoryFolder(place.path).rows(notAfterMs: .max, limit: 1000, skipping: 0)
    #expect(rows.count == truth.rows.count)
    try Database(path, for: .writing).run("UPDATE prefix SET body = zeroblob(99)")
    let history = try HistoryFolder(place.path)
    // Bytes that came after their block have no prefix.
    let left = try history.rows(notAfterMs: .max, limit: 1000, skipping: 0)
    #expect(left.count < 20)
    #expect(history.damage.rows == truth.rows.count - left.count)
    #expect(try history.outages(after: 0, through: .max).contains { $0.reason == .damaged })
    let file = try Database(path, for: .reading)
    #expect(try file.number("SELECT count(kind) FROM row") == Int64(truth.rows.count))
  }

  @Test("a page of zeros anywhere: no wrong row")
  func zeros() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(900, into: place.path, seed: 6, runs: 1, stepMs: 100)
    let path = place.path + "/2026-11-24.db"
    let good = try Data(contentsOf: URL(filePath: path))
    let rows = Set(truth.rows)
    var best = 0
    for page in stride(from: 1, to: good.count / 4096, by: max(1, good.count / 4096 / 25)) {
      var broken = good
      broken.replaceSubrange(
        page * 4096..<(page + 1) * 4096, with: Data(repeating: 0, count: 4096))
      try broken.write(to: URL(filePath: path))
      let found = try HistoryFolder(place.path).rows(notAfterMs: .max, limit: 1000, skipping: 0)
      #expect(found.allSatisfy { rows.contains($0) })
      best = max(best, found.count)
    }
    #expect(best > 450)
  }

  @Test("without words: no content, transcript or prompt; lengths, kinds, times and costs stay")
  func withoutWords() throws {
    let place = HistoryPlaceForTests()
    var settings = RecorderSettings.test()
    settings.omitsWords = true
    let recorder = HistoryRecorder(folder: place.path, settings) { RecorderTests.startMs }
    let json = """
      {"kind":"voice_runtime","content":"realtime_asr_final: said this","createdAt":"2026-11-24T22:00:00.000Z",\
      "userId":"123456789012345678","usdCost":0.5,"metadata":{"transcript":"secret one","displayName":"Anna",\
      "systemPrompt":"secret two","durationMs":7,"toolInput":{"query":"secret three"},"skipCause":"no_reply",\
      "unheardOf":"secret four, and it is a sentence that goes on for longer than any name would ever be"}}
      """
    let body = "{\"participants\":[{\"displayName\":\"Anna\",\"text\":\"secret five\"}],\"n\":4}"
    Array(json.utf8).withUnsafeBytes {
      recorder.row(number: 0, receivedMs: RecorderTests.startMs, channels: .voice, json: $0)
    }
    Array(body.utf8).withUnsafeBytes {
      recorder.document(
        name: "voice_state", atMs: RecorderTests.startMs, receivedMs: RecorderTests.startMs,
        body: $0)
    }
    #expect(recorder.stop(waiting: 60))
    let history = try HistoryFolder(place.path)
    let row = try #require(try history.rows(notAfterMs: .max, limit: 1, skipping: 0).first)
    let text = String(decoding: row.json, as: UTF8.self)
    let document = try #require(try history.document("voice_state", notAfterMs: .max))
    let state = String(decoding: document.body, as: UTF8.self)
    #expect(!text.contains("secret") && !state.contains("secret") && !text.contains("said"))
    for kept in [
      "\"transcript\":\"[10 characters]\"", "\"content\":\"realtime_asr_final: [9 characters]\"",
      "\"usdCost\":0.5", "\"durationMs\":7", "\"skipCause\":\"no_reply\"", "Anna",
    ] { #expect(text.contains(kept), "\(kept) in \(text)") }
    #expect(state.contains("Anna") && state.contains("[11 characters]"))
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
      let bytes = try Data(contentsOf: URL(filePath: place.path + "/" + name))
      #expect(bytes.range(of: Data("secret".utf8)) == nil, "\(name)")
    }
  }
}
