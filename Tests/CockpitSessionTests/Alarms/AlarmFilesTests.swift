import CockpitAnswers
import CockpitFiles
import Foundation
import LenientJSON
import Testing

@testable import CockpitSession

@MainActor @Suite struct AlarmFilesTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "alarms-\(UInt64.random(in: 0 ... .max))"
    ).path(percentEncoded: false)
  }

  private func files() throws -> AlarmFiles {
    try #require(AlarmFiles(state: folder, bot: "http://127.0.0.1:1"))
  }

  private func alarm(_ rule: String) -> Alarm {
    Alarm(
      TriageTrouble(
        id: .init(rule: rule, subject: "é\u{202E}"), level: .critical, word: "x", sinceMs: 5,
        count: 1,
        answer: Answer("\(rule) ✗.", state: .observed, coverage: .init(isComplete: true)),
        recovery: "Well."), isLive: true)
  }

  @Test("what is saved is read again, by a file of ours alone")
  func roundTrip() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var saved = AlarmFiles.Saved()
    let events = saved.latch.step(
      [alarm("models"), alarm("mcp")], silences: AlarmSilences(), limits: AlarmLatch.Limits(),
      coveredFromMs: nil, nowMs: 1000)
    saved.outbox = events.map {
      AlarmDelivery(AlarmMessage($0, bot: "b", nowMs: 1000), to: ["exec", "webhook"])
    }
    saved.lookedMs = 77
    #expect(try files().save(saved, .watch))
    let again = try files().load(.watch)
    #expect(again.latch.entries == saved.latch.entries && again.latch.saidMs == [1000, 1000])
    #expect(again.outbox == saved.outbox && again.lookedMs == 77)
    #expect(try files().load(.cockpit).latch.entries.isEmpty)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let mode =
        try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[
          .posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
  }

  @Test("silences are one place for all processes")
  func silences() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try files().change { $0.muted = ["models"] }
    try files().change { $0.snoozedUntilMs["mcp"] = 9 }
    let trouble = alarm("search").trouble
    let all = try files().change { $0.acknowledge(trouble, nowMs: 100) }
    #expect(try files().silences() == all)
    #expect(all.muted == ["models"] && all.snoozedUntilMs == ["mcp": 9])
    #expect(all.isSilent(trouble, nowMs: 200))
  }

  @Test(
    "a damaged file is set aside, and said",
    arguments: ["", "{", "[]", "{\"version\":9}", "\u{0}\u{1}"])
  func damaged(text: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try files()
    #expect(first.save(AlarmFiles.Saved(), .watch))
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".watch") })
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    let files = try files()
    #expect(files.load(.watch).latch.entries.isEmpty)
    #expect(files.takeComplaints().count == 1 && files.takeComplaints().isEmpty)
    #expect(files.save(AlarmFiles.Saved(), .watch))
  }

  @Test("any bytes in the file are read without a crash", arguments: 0..<40)
  func fuzz(seed: Int) throws {
    var saved = AlarmFiles.Saved()
    _ = saved.latch.step(
      [alarm("models")], silences: AlarmSilences(), limits: AlarmLatch.Limits(),
      coveredFromMs: nil, nowMs: 1000)
    var bytes: [UInt8] = []
    saved.json.write(to: &bytes, ascii: true)
    var state = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15
    for _ in 0..<8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
    }
    guard let json = try? JSONValue.parse(bytes) else { return }
    #expect(AlarmFiles.Saved(json: json).latch.entries.count <= 1)
    _ = AlarmSilences(json: json)
  }

  @Test("a folder that cannot be written is said once, and the alarms go on")
  func unwritable() throws {
    let files = try #require(AlarmFiles(state: "/proc/none", bot: "b"))
    #expect(!files.save(AlarmFiles.Saved(), .watch))
    #expect(!files.save(AlarmFiles.Saved(), .watch))
    #expect(files.takeComplaints().count == 1)
  }
}
