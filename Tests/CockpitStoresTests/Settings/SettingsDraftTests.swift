import ClankyWire
import LenientJSON
import Networking
import Testing

@testable import CockpitStores

/// What was typed into the form of a setting, on the disk until it is saved or dropped.
@MainActor
@Suite struct SettingsDraftTests {
  private static let flavor = SettingPath(["persona", "flavor"])

  private func service(_ storage: FakeSettingsStorage, backend: String = "http://127.0.0.1:8787")
    -> SettingsService
  {
    SettingsService(
      store: SettingsStore(), requester: DemoSettingsBackend(), clock: HandClock(),
      storage: storage, backend: backend, isReadOnly: false)
  }

  @Test("a draft is on the disk with each key, and there again in the next run")
  func keep() throws {
    let scene = SettingsScene()
    scene.service.perform(.keepDraft(Self.flavor, text: "dr"))
    scene.service.perform(.keepDraft(Self.flavor, text: "dry"))
    #expect(scene.storage.drafts.count == 1)
    let next = service(scene.storage)
    next.perform(.loadJournal)
    #expect(next.store.drafts[Self.flavor]?.text == "dry")
    // That of another bot is not ours.
    let other = service(scene.storage, backend: "http://127.0.0.1:1")
    other.perform(.loadJournal)
    #expect(other.store.drafts.isEmpty)
    next.perform(.dropDraft(Self.flavor))
    #expect(scene.storage.drafts.isEmpty && next.store.drafts.isEmpty)
  }

  @Test("a save that is stored takes the draft along, one that is not leaves it")
  func saved() throws {
    let scene = SettingsScene()
    let path = SettingPath(["memory", "enabled"])
    scene.service.perform(.keepDraft(path, text: "false"))
    scene.backend.replaced[3] = .failure(
      .init(failure: .refused(origin: "x"), mayHaveArrived: false))
    try scene.save("memory.enabled", "false")
    #expect(scene.store.drafts[path] != nil && scene.storage.drafts.count == 1)
    try scene.save("memory.enabled", "false")
    #expect(scene.store.drafts.isEmpty && scene.storage.drafts.isEmpty)
  }

  @Test(
    "what may be a secret stays in memory",
    arguments: [
      ("voice.x", "https://user:hunter2@feeds.example"), ("tools.apiKey", "abc"),
      ("voice.x", "sk-a"), ("voice.x", #"{"token":"abc"}"#), ("voice.x", "--password abc"),
    ])
  func secrets(path: String, text: String) throws {
    let scene = SettingsScene()
    let path = try #require(SettingPath(path))
    scene.service.perform(.keepDraft(path, text: "plain"))
    scene.service.perform(.keepDraft(path, text: text))
    #expect(scene.store.drafts[path]?.text == text)
    #expect(scene.storage.drafts.isEmpty)
    #expect(!scene.service.hasDraftFile)
  }

  @Test("a disk that is full is said, and the text is in the form")
  func full() {
    let scene = SettingsScene()
    scene.storage.isFull = true
    scene.service.perform(.keepDraft(Self.flavor, text: "dry"))
    #expect(scene.store.drafts[Self.flavor]?.text == "dry")
    #expect(scene.store.diskProblem?.contains("in memory only") == true)
  }

  @Test("a file that is no draft costs itself")
  func odd() {
    let scene = SettingsScene()
    scene.storage.drafts = ["a": Array("{".utf8), "b": [], "c": Array(#"{"text":1}"#.utf8)]
    scene.service.perform(.keepDraft(Self.flavor, text: "dry"))
    let next = service(scene.storage)
    next.perform(.loadJournal)
    #expect(next.store.drafts.count == 1)
  }
}
