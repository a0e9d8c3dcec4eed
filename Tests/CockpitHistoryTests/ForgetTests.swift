import CockpitDomain
import Foundation
import LenientJSON
import Testing

@testable import CockpitHistory

@Suite struct ForgetTests {
  private func forget(_ folder: String) throws -> HistoryForget {
    try HistoryForget(folder) { RecorderTests.startMs + 20_000_000 }
  }

  private func parse(_ bytes: [UInt8]) throws -> JSONValue {
    try bytes.withUnsafeBytes { try JSONValue.parse($0) }
  }

  @Test("a person is found by id and by any name, with all names; two of one name are refused")
  func person() throws {
    let place = HistoryPlaceForTests()
    _ = ForgetSamples.record(60, into: place.path)
    let forget = try forget(place.path)
    for text in [ForgetSamples.id, "anna kafer", "Käferin"] {
      let person = try forget.person(text)
      #expect(person.ids == [ForgetSamples.id])
      #expect(Set(person.names).isSuperset(of: ["Anna Käfer", "Käferin"]), "\(person)")
    }
    #expect(throws: HistoryError.self) { try forget.person("Nobody At All") }
  }

  @Test("nothing of the person is left, by truth; everything else is as it was")
  func nothingLeft() throws {
    let place = HistoryPlaceForTests()
    let truth = ForgetSamples.record(1200, into: place.path)
    try HistoryNotes.mark(atMs: RecorderTests.startMs, note: "Anna Käfer was loud", in: place.path)
    try HistoryNotes.keep(
      .init(
        day: 7, basis: "b", stamp: "s", judgedToMs: 1,
        body: #"{"incidents":[{"user":"\#(ForgetSamples.id)","sentence":"KEPT Anna Käfer, AK"}]}"#),
      in: place.path)
    #expect(try Self.hasBytes("KEPT Anna", in: place.path))
    #expect(!(try ForgetSamples.traces(inFolder: place.path)).isEmpty)
    let forget = try forget(place.path)
    var person = try forget.person(ForgetSamples.id)
    // Turns name them by initials that stand beside no id.
    person.names.append("AK")
    let plan = try forget.plan(person)
    #expect(plan.count == 2)
    #expect(plan.reduce(0) { $0 + $1.ownRows } == 120)
    let receipt = try forget.forget(person)
    #expect(receipt.isClean)
    #expect(receipt.tombstones == 120)
    #expect(receipt.changedRows == 360)
    #expect(receipt.removedDocuments == 120)
    #expect(receipt.changedNotes == 1)
    #expect(try ForgetSamples.traces(inFolder: place.path) == [])
    #expect(try HistoryNotes.judgedDays(0...9, basis: "b", in: place.path) == [])
    #expect(!(try Self.hasBytes("KEPT Anna", in: place.path)))
    #expect(try HistoryNotes.marks(in: place.path).map(\.note) == ["\(receipt.pseudonym) was loud"])

    let history = try HistoryFolder(place.path)
    let rows = try history.rows(notAfterMs: .max, limit: 100_000, skipping: 0)
    #expect(rows.count == truth.rows.count)
    let kept = truth.rows.filter { ForgetSamples.traces(in: $0).isEmpty }
    #expect(kept.count > 300)
    #expect(Set(rows.map { String(decoding: $0.json, as: UTF8.self) }).isSuperset(of: kept))
    // Their rows: time, kind, cost and durations.
    let own = rows.filter { String(decoding: $0.json, as: UTF8.self).contains("\"forgotten\"") }
    #expect(own.count == 120)
    for row in own {
      let json = try parse(row.json)
      #expect(json["kind"]?.string == "message_in")
      #expect(json["usdCost"]?.double == 0.25)
      #expect(json["metadata"]?["durationMs"]?.int == 120)
      #expect(json["content"]?.string?.hasPrefix("[forgotten ") == true)
      #expect(json["channelId"] == nil)
    }
    // A prompt goes as a whole, a sentence of somebody else only in the name.
    #expect(
      rows.contains {
        String(decoding: $0.json, as: UTF8.self).contains("\"systemPrompt\":\"[forgotten ")
      })
    let asked = rows.contains {
      String(decoding: $0.json, as: UTF8.self)
        .contains("ask <@\(receipt.pseudonym)> or \(receipt.pseudonym) about row2")
    }
    #expect(asked)
    // Facts about them go, those of others stay.
    let facts = try #require(
      try history.document("GET /api/memory/facts", notAfterMs: .max))
    let list = try #require(try parse(facts.body)["facts"]?.array)
    #expect(list.count == 1)
    #expect(list[0]["fact"]?.string?.hasPrefix("knows \(receipt.pseudonym) well") == true)
    #expect(history.damage == HistoryDamage())
    #expect(try HistoryUpkeep.verify(place.path).allSatisfy(\.isSound))
    // Once more changes nothing.
    let again = try forget.forget(person)
    #expect(again.isClean && again.tombstones == 0 && again.changedRows == 0)
  }

  /// Whether any file of a folder has these bytes.
  private static func hasBytes(_ text: String, in folder: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
      let data = try Data(contentsOf: URL(filePath: folder + "/" + name))
      return data.range(of: Data(text.utf8)) != nil
    }
  }

  @Test("nothing is kept of days while somebody is forgotten, nor of days that are removed")
  func keptDays() throws {
    let place = HistoryPlaceForTests()
    _ = ForgetSamples.record(1200, into: place.path)
    let days = (HistoryFiles.days(in: place.path) ?? []).map(\.day)
    try #require(days.count == 2)
    func keep() throws {
      for day in days {
        try HistoryNotes.keep(
          .init(day: day, basis: "b", stamp: "s", judgedToMs: 1, body: "{}"), in: place.path)
      }
    }
    func kept() throws -> [Int64] {
      try HistoryNotes.judgedDays(0...99_999, basis: "b", in: place.path).map(\.day)
    }
    try keep()
    #expect(try kept() == days)
    let gone = try HistoryUpkeep.prune(
      place.path, keepMs: 1, maxBytes: nil, nowMs: RecorderTests.startMs + 900_000_000,
      isTrial: false)
    #expect(gone.count == 1)
    #expect(try kept() == [days[1]])
    let jobs = try ForgetJobs(place.path)
    let job = try jobs.add(pseudonym: "p", ids: ["1"], names: [], nowMs: 1)
    try keep()
    #expect(try kept() == [days[1]])
    try jobs.finish(job, nowMs: 2)
    try keep()
    #expect(try kept() == days)
  }

  @Test("a recorder goes on: no row is lost, and what comes meanwhile is counted")
  func liveRecorder() throws {
    let place = HistoryPlaceForTests()
    _ = ForgetSamples.record(300, into: place.path, stepMs: 1000)
    let clock = TestClock(RecorderTests.startMs + 400_000)
    let recorder = HistoryRecorder(folder: place.path, .test()) { clock.now }
    @Sendable func add(_ numbers: Range<Int>) {
      for number in numbers {
        let atMs = RecorderTests.startMs + 400_000 + Int64(number) * 1000
        clock.set(atMs)
        let json = ForgetSamples.row(
          "message_in", "live\(number)", user: ForgetSamples.other, atMs: atMs, "\"n\":1")
        Array(json.utf8).withUnsafeBytes {
          recorder.row(number: number, receivedMs: atMs, channels: .activity, json: $0)
        }
      }
    }
    add(0..<50)
    for _ in 0..<2000 where recorder.state.rows < 50 { usleep(2000) }
    let before = try HistoryFolder(place.path).rows(notAfterMs: .max, limit: 10_000, skipping: 0)
    let writing = Thread {
      for part in 0..<40 {
        add(50 + part * 5..<55 + part * 5)
        usleep(10_000)
      }
    }
    writing.start()
    let forget = try forget(place.path)
    let receipt = try forget.forget(try forget.person(ForgetSamples.id))
    while !writing.isFinished { usleep(2000) }
    #expect(recorder.stop(waiting: 60))
    #expect(recorder.state.lostRows == 0)
    // The initials stand beside no id.
    #expect(receipt.isClean)
    #expect(receipt.files == 1)
    let rows = try HistoryFolder(place.path).rows(notAfterMs: .max, limit: 10_000, skipping: 0)
    #expect(rows.count == before.count + 200)
    #expect(Set(rows.map(\.seq)).count == rows.count)
    let live = rows.filter { String(decoding: $0.json, as: UTF8.self).contains("\"live") }
    #expect(live.count == 250)
    let files = try FileManager.default.contentsOfDirectory(atPath: place.path)
    #expect(files.contains("2026-11-24-2.db"))
  }

  @Test("an interrupted job goes on where it stopped, at each step, without doubles")
  func interrupted() throws {
    let whole = HistoryPlaceForTests()
    _ = ForgetSamples.record(300, into: whole.path, stepMs: 30_000)
    let program = try #require(KillTests.probe)
    for step in 0..<10 {
      let place = HistoryPlaceForTests()
      try FileManager.default.copyItem(atPath: whole.path, toPath: place.path)
      let process = Process()
      process.executableURL = URL(filePath: program)
      process.arguments = ["forget", place.path, ForgetSamples.id, "\(step)"]
      process.standardOutput = Pipe()
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal, "step \(step)")
      let rows = try HistoryFolder(place.path).rows(notAfterMs: .max, limit: 10_000, skipping: 0)
      #expect(rows.count == 210)
      let forget = try forget(place.path)
      #expect(try forget.unfinished().count == 1)
      let receipts = try forget.resume()
      #expect(receipts.count == 1)
      #expect(receipts.first?.tombstones == 30, "step \(step)")
      #expect(receipts.first?.isClean == true)
      #expect(try forget.unfinished() == [])
      let after = try HistoryFolder(place.path).rows(notAfterMs: .max, limit: 10_000, skipping: 0)
      #expect(after.count == 210)
      #expect(
        try ForgetSamples.traces(inFolder: place.path).allSatisfy {
          $0 == "\"AK\"" || $0 == "secret"
        })
      let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
      #expect(!names.contains { $0.hasPrefix(".new-") })
    }
  }
}
