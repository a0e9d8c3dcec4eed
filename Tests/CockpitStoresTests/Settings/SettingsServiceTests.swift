import Foundation
import ClankyWire
import LenientJSON
import Networking
import Testing

@testable import CockpitDemo
@testable import CockpitStores

@Suite("Saving settings")
@MainActor
struct SettingsServiceTests {
  @Test(
    "a save is one read, one PUT, two lines of the journal", arguments: [DemoDialect.may, .march])
  func save(_ dialect: DemoDialect) throws {
    let scene = SettingsScene(dialect)
    let before = try #require(scene.settings)
    try scene.save("voice.sessionLimits.maxSessionMinutes", "45")
    #expect(scene.backend.log.map(\.method) == [.get, .get, .put])
    let stored = try #require(scene.stored)
    #expect(stored.isExact && stored.isApplied && stored.others.isEmpty)
    #expect(scene.store.change?.sentence == "Saved.")
    #expect(scene.settings?.version != before.version)
    let entries = scene.storage.entries
    #expect(entries.map(\.outcome) == [.sending, .stored])
    #expect(entries[0].write == entries[1].write)
    #expect(entries[0].before == before.intent)
    #expect(entries[1].newVersion == stored.settings.version)
    #expect(scene.storage.turns.isEmpty)
  }

  @Test("what the backend made of it stands beside what was sent")
  func clamped() throws {
    let scene = SettingsScene()
    try scene.save("permissions.replies.maxMessagesPerHour", "9999")
    let row = try #require(scene.stored?.rows.first)
    #expect(row.sent?.int == 9999)
    #expect(row.stored?.int == 500)
    #expect(row.isOther)
    #expect(scene.store.change?.sentence.contains("something else") == true)
    // An unknown member is dropped.
    try scene.save("future.member", "{\"a\":1}")
    #expect(scene.stored?.rows.first?.stored == nil)
    #expect(scene.stored?.isExact == false)
  }

  @Test("settings that follow are named: a preset takes models with it")
  func followers() throws {
    let scene = SettingsScene()
    try scene.save("agentStack.preset", "\"openai_api\"")
    let stored = try #require(scene.stored)
    #expect(stored.isExact)
    let names = stored.others.map(\.path.description)
    #expect(names.contains("agentStack.overrides.orchestrator.provider"))
  }

  @Test("the same setting changed meanwhile: a conflict, and no PUT")
  func conflict() throws {
    let scene = SettingsScene()
    let edit = try scene.edit("permissions.replies.maxMessagesPerHour", "12")
    try scene.backend.saveElsewhere(["permissions", "replies", "maxMessagesPerHour"], 13)
    scene.service.perform(.save(edit))
    scene.backend.run()
    #expect(
      scene.store.change?.state
        == .conflict([try #require(SettingPath("permissions.replies.maxMessagesPerHour"))]))
    #expect(scene.backend.puts == 0)
    #expect(scene.storage.lines.isEmpty)
    // The document on the screen is theirs now; the same words again are an informed choice.
    try scene.save("permissions.replies.maxMessagesPerHour", "12")
    #expect(scene.stored?.isExact == true)
  }

  @Test("another setting changed meanwhile: it survives")
  func merged() throws {
    let scene = SettingsScene()
    let edit = try scene.edit("permissions.replies.maxMessagesPerHour", "12")
    try scene.backend.saveElsewhere(["persona", "flavor"], "theirs")
    scene.service.perform(.save(edit))
    scene.backend.run()
    #expect(scene.stored?.isExact == true)
    #expect(
      scene.settings?.effective.value(at: SettingPath(["persona", "flavor"]))?.string == "theirs")
  }

  @Test("a save between our read and our PUT: a conflict, one PUT, nothing stored")
  func race() throws {
    let scene = SettingsScene()
    scene.backend.world.cursors.nextSave = .conflict
    try scene.save("permissions.replies.maxMessagesPerHour", "12")
    #expect(scene.backend.puts == 1)
    guard case .conflict? = scene.store.change?.state else {
      Issue.record("\(String(describing: scene.store.change?.state))")
      return
    }
    #expect(scene.storage.entries.map(\.outcome) == [.sending, .conflict])
    #expect(scene.backend.truth.effective.contains("\"maxMessagesPerHour\":60"))
  }

  @Test(
    "an answer that is lost: read again, and never sent twice", arguments: DemoFault.Save.allCases)
  func faults(_ fault: DemoFault.Save) throws {
    let scene = SettingsScene()
    scene.backend.world.cursors.nextSave = fault
    try scene.save("permissions.replies.maxMessagesPerHour", "12")
    #expect(scene.backend.puts == 1)
    let isStored = scene.backend.truth.effective.contains("\"maxMessagesPerHour\":12")
    switch fault {
    case .lostAnswer, .oddAnswer, .notApplied:
      #expect(isStored)
      #expect(scene.stored?.isExact == true)
      #expect(scene.stored?.isApplied == (fault != .notApplied))
    case .lostRequest:
      #expect(!isStored)
      guard case .failed? = scene.store.change?.state else { Issue.record("not failed"); return }
    case .conflict: #expect(!isStored)
    }
    #expect(scene.storage.entries.count == 2)
  }

  @Test("every step can fail")
  func failures() throws {
    let lost = DemoSettingsBackend.Outcome.failure(
      RestFailure(failure: .transport("lost"), mayHaveArrived: true))
    // The read before the PUT.
    var scene = SettingsScene()
    scene.backend.replaced[2] = lost
    try scene.save("memory.enabled", "false")
    #expect(scene.backend.puts == 0)
    #expect(scene.store.change?.sentence.contains("Nothing was sent.") == true)
    // The PUT and the read after it.
    scene = SettingsScene()
    scene.backend.replaced[3] = lost
    scene.backend.replaced[4] = lost
    try scene.save("memory.enabled", "false")
    guard case .unknown? = scene.store.change?.state else { Issue.record("not unknown"); return }
    #expect(scene.storage.entries.map(\.outcome) == [.sending, .unknown])
    // A refusal.
    scene = SettingsScene()
    scene.backend.replaced[3] = .success(
      RestAnswer(status: 400, body: Array(#"{"error":"invalid_json_body"}"#.utf8), latencyMs: 1))
    try scene.save("memory.enabled", "false")
    #expect(scene.store.change?.sentence.contains("Nothing was stored.") == true)
    // A crash of the backend stores nothing, which the read shows.
    scene = SettingsScene()
    try scene.save("voice", "null")
    #expect(scene.backend.log.map(\.method) == [.get, .get, .put, .get])
    #expect(scene.store.change?.sentence.contains("did not arrive") == true)
    // No journal, no PUT.
    scene = SettingsScene()
    scene.storage.isFull = true
    try scene.save("memory.enabled", "false")
    #expect(scene.backend.puts == 0)
    #expect(scene.storage.turns.isEmpty)
  }

  @Test("a document that was not read whole is never written")
  func notWhole() throws {
    for body in [
      #"{"intent":{"a":NaN},"effective":{},"_meta":{"updatedAt":"x"}}"#,
      #"{"intent":{"note":"\#(TokenText.standIn)"},"effective":{},"_meta":{"updatedAt":"x"}}"#,
      #"{"intent":{},"effective":{},"_meta":{"updatedAt":""}}"#,
      #"{"intent":{},"effective":{}"#,
    ] {
      let scene = SettingsScene()
      scene.backend.replaced[2] = .success(
        RestAnswer(status: 200, body: Array(body.utf8), latencyMs: 1))
      try scene.save("memory.enabled", "false")
      #expect(scene.backend.puts == 0)
      guard case .failed? = scene.store.change?.state else { Issue.record("\(body)"); return }
    }
  }

  @Test("who waits for a save hears of its outcome, and at once where none is under way")
  func settled() throws {
    let scene = SettingsScene()
    var calls = 0
    scene.service.onSettled { calls += 1 }
    #expect(calls == 1)
    scene.service.perform(.save(try scene.edit("memory.enabled", "false")))
    scene.service.onSettled { calls += 1 }
    #expect(calls == 1 && scene.service.isWriting)
    scene.backend.run()
    #expect(calls == 2 && scene.stored != nil)
  }

  @Test("what is taken back is what was asked for before, by the same way")
  func undo() throws {
    let scene = SettingsScene()
    let before = scene.backend.truth
    try scene.save("voice.sessionLimits.maxSessionMinutes", "45")
    try scene.save("memory.enabled", "false")
    for _ in 0..<2 {
      let entry = try #require(
        scene.storage.entries.lastToUndo(at: "http://127.0.0.1:8787", in: nil))
      #expect(entry.undoProblem == nil)
      let edit = SettingsEdit(
        try #require(scene.settings), verb: .undo(write: entry.write),
        changes: entry.changes.map { ($0.path, $0.before) })
      scene.service.perform(.save(edit))
      scene.backend.run()
      #expect(scene.stored != nil)
    }
    #expect(scene.storage.entries.lastToUndo(at: "http://127.0.0.1:8787", in: nil) == nil)
    #expect(scene.backend.truth.effective == before.effective)
    #expect(try JSONValue.parse(scene.backend.truth.intent).meansSame(as: .parse(before.intent)))
  }

  @Test("presets are previews; taking one discards what was not seen only after a conflict")
  func presets() throws {
    let scene = SettingsScene()
    scene.service.perform(.preview(preset: "grok_native_agent"))
    scene.backend.run()
    let preview = try #require(scene.store.preview.value)
    #expect(preview.version.isEmpty)
    let edit = SettingsEdit(
      try #require(scene.settings), verb: .preset("grok_native_agent"), into: preview.intent)
    #expect(edit.isWhole)
    try scene.backend.saveElsewhere(["identity", "botName"], "theirs")
    scene.service.perform(.save(edit))
    scene.backend.run()
    guard case .conflict(let paths)? = scene.store.change?.state else {
      Issue.record("no conflict")
      return
    }
    #expect(paths.map(\.description) == ["identity.botName"])
    #expect(scene.backend.puts == 0)
    let again = SettingsEdit(
      try #require(scene.settings), verb: .preset("grok_native_agent"), into: preview.intent)
    scene.service.perform(.save(again))
    scene.backend.run()
    #expect(scene.stored?.isExact == true)
    #expect(scene.backend.truth.effective.contains("\"botName\":\"clanky\""))
    // What is permitted where is kept.
    #expect(scene.backend.truth.effective.contains("\"maxMessagesPerHour\":60"))
  }

  @Test("read-only sends nothing that changes something")
  func readOnly() throws {
    let scene = SettingsScene(isReadOnly: true)
    try scene.save("memory.enabled", "false")
    scene.service.perform(.refresh)
    scene.backend.run()
    #expect(scene.backend.log.map(\.method) == [.get])
  }

  @Test("secrets are sent and never written to the journal")
  func secrets() throws {
    let scene = SettingsScene()
    let secret = "https://user:hunter2@feeds.example/x?token=swordfish"
    try scene.save("initiative.discovery.rssFeeds", "[\"\(secret)\"]")
    #expect(scene.backend.truth.intent.contains("hunter2"))
    try scene.save("initiative.discovery.rssFeeds", "[]")
    let text = scene.storage.lines.map { String(decoding: $0, as: UTF8.self) }.joined()
    #expect(!text.contains("hunter2") && !text.contains("swordfish"))
    let entry = try #require(scene.storage.entries.last)
    #expect(entry.undoProblem?.contains("secret") == true)
    try scene.save("initiative.discovery.rssFeeds", "[\"https://[secret]@feeds.example\"]")
    #expect(scene.backend.puts == 2)
    #expect(scene.store.change?.sentence.contains("stands for a secret") == true)
  }

  @Test("another run of the program is waited for")
  func turns() throws {
    let scene = SettingsScene()
    scene.storage.isTaken = true
    try scene.save("memory.enabled", "false")
    #expect(scene.store.change?.state == .waiting)
    scene.storage.isTaken = false
    scene.clock.advance(seconds: 1)
    scene.backend.run()
    #expect(scene.stored?.isExact == true)
    scene.storage.isTaken = true
    try scene.save("memory.enabled", "true")
    for _ in 0..<50 { scene.clock.advance(seconds: 1) }
    guard case .failed? = scene.store.change?.state else { Issue.record("still waiting"); return }
  }

  @Test(
    "random changes: nothing but the changed setting differs, unless the backend says so",
    arguments: 0..<(ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil ? 100 : 300))
  func randomChanges(_ seed: UInt64) throws {
    var random = DemoRandom(seed: seed)
    let scene = SettingsScene(seed % 3 == 0 ? .march : .may)
    let before = try #require(scene.settings)
    let leaves = before.effective.settings
    let leaf = leaves[random.int(0...leaves.count - 1)]
    let value: JSONValue =
      switch leaf.value {
      case .bool(let bool): .bool(!bool)
      case .number: .number(JSONNumber(text: "\(random.int(-10...20_000))"))
      case .array: .array([.string("a\(seed)"), .string(" b ")])
      case .string where seed % 2 == 0: .string("  wörd \(seed) 👩‍👩‍👧  ")
      default: .string("native")
      }
    let edit = SettingsEdit(before, changes: [(leaf.path, value)])
    scene.service.perform(.save(edit))
    scene.backend.run()
    let after = try JSONValue.parse(scene.backend.truth.effective)
    let intent = try JSONValue.parse(scene.backend.truth.intent)
    guard let stored = scene.stored, let after = after.object, let intent = intent.object else {
      // Asked for already.
      #expect(scene.store.change?.state == .unchanged, "\(leaf.path)")
      return
    }
    // What was reported is what is there.
    #expect(stored.settings.effective.settings.map(\.path) == after.settings.map(\.path))
    let changed = SettingDifference.between(before.effective, after)
    let told = Set(stored.rows.map(\.path) + stored.others.map(\.path))
    for difference in changed { #expect(told.contains(difference.path), "\(difference.path)") }
    #expect(stored.others.count == changed.count { $0.path != leaf.path })
    let asked = SettingDifference.between(before.intent, intent)
    #expect(asked.allSatisfy { $0.path.touches(leaf.path) }, "\(asked)")
    #expect(scene.backend.puts == 1)
  }
}
