import CockpitChat
import CockpitFiles
import CockpitPanes
import CockpitStores
import Foundation
import Images
import TerminalCore
import Testing

@testable import CockpitSession

@MainActor @Suite struct ChatDeskTests {
  private let home: String
  private let clock = StepClock()
  private let backend = ScriptedChat()
  private let disk = FillableDisk()

  init() {
    home = FileManager.default.temporaryDirectory
      .appending(path: "clanky-chat-\(UUID().uuidString)").path()
  }

  private func desk(source: String = "ws://a") -> ChatDesk {
    var keys = 0
    let tag = UUID().uuidString
    let desk = ChatDesk(
      backend, source: source, files: ChatFolder(state: home, disk: disk), clock: clock
    ) {
      keys += 1
      return "\(tag)-\(keys)"
    }
    desk.perform(.open)
    return desk
  }

  private func entries(_ desk: ChatDesk) -> [ChatEntry] { desk.board?.transcript.entries ?? [] }

  private func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(home)/\(folder)")) ?? []).sorted()
  }

  @Test func `nothing is made on the disk before something is said`() {
    defer { remove() }
    _ = desk()
    #expect(!FileManager.default.fileExists(atPath: home))
  }

  private func remove() { try? FileManager.default.removeItem(atPath: home) }

  @Test func `a conversation is there for the next start, for its owner alone`() throws {
    defer { remove() }
    let first = desk()
    first.perform(.draft("hello"))
    first.perform(.send("hello"))
    #expect(backend.turns.map(\.sessionKey) == ["agent:main:cockpit-main-v1"])
    #expect(backend.turns[0].history == .server)
    #expect(first.board?.underWay == ["main"])
    backend.tell(.started(run: "r"), .text("hi "), .text("there"), .ended(.completed))
    #expect(first.board?.underWay.isEmpty == true)
    let next = desk()
    #expect(entries(next) == entries(first))
    #expect(next.board?.draft.isEmpty == true)
    for name in names("chat") {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(home)/chat/\(name)")
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    #expect(names("chat-drafts").isEmpty)
  }

  @Test func `a desk that was never opened writes nothing when the program ends`() {
    defer { remove() }
    let used = desk(source: "ws://a")
    used.perform(.add(name: "ops", agent: nil))
    let list = "\(home)/chat/channels.jsonl"
    let before = FileManager.default.contents(atPath: list)
    #expect(before != nil)
    let idle = ChatDesk(
      backend, source: "ws://b", files: ChatFolder(state: home, disk: disk), clock: clock
    ) { "k" }
    idle.close()
    #expect(FileManager.default.contents(atPath: list) == before)
  }

  @Test func `two programs keep the channels of their sources beside each other`() {
    defer { remove() }
    let one = desk(source: "ws://a")
    let two = desk(source: "ws://b")
    one.perform(.add(name: "ops", agent: nil))
    two.perform(.add(name: "notes", agent: nil))
    one.perform(.add(name: "night", agent: nil))
    func names(_ source: String) -> [String] {
      desk(source: source).board?.channels.map(\.name) ?? []
    }
    #expect(names("ws://a") == ["main", "ops", "night"])
    #expect(names("ws://b").suffix(1) == ["notes"])
  }

  @Test func `a draft is on the disk after a pause, and gone once it is sent`() {
    defer { remove() }
    let first = desk()
    first.perform(.draft("half a th"))
    #expect(names("chat-drafts").isEmpty)
    clock.advance(ms: 299)
    #expect(names("chat-drafts").isEmpty)
    clock.advance(ms: 2)
    // The process is killed here.
    let next = desk()
    #expect(next.board?.draft == "half a th")
    next.perform(.send("half a thought"))
    #expect(names("chat-drafts").isEmpty)
  }

  @Test func `a full disk: it is said, the conversation goes on, and all of it is written later`() {
    defer { remove() }
    let first = desk()
    first.perform(.send("one"))
    backend.tell(.text("1"), .ended(.completed))
    disk.isFull = true
    first.perform(.draft("two"))
    first.perform(.send("two"))
    #expect(first.board?.diskProblem?.contains("goes on in memory") == true)
    backend.tell(.text("2"), .ended(.completed))
    #expect(entries(first).map(\.text) == ["one", "1", "two", "2"])
    #expect(entries(desk()).map(\.text) == ["one", "1"], "no half line counts as a message")
    disk.isFull = false
    first.perform(.send("three"))
    #expect(first.board?.diskProblem == nil)
    backend.tell(.text("3"), .ended(.completed))
    #expect(entries(desk()).map(\.text) == ["one", "1", "two", "2", "three", "3"])
  }

  @Test func `a draft that the disk did not take is written with the next pause`() {
    defer { remove() }
    let first = desk()
    disk.isFull = true
    first.perform(.draft("precious"))
    clock.advance(ms: 400)
    #expect(first.board?.diskProblem != nil)
    #expect(first.board?.draft == "precious")
    disk.isFull = false
    first.perform(.draft("precious!"))
    clock.advance(ms: 400)
    #expect(first.board?.diskProblem == nil)
    #expect(desk().board?.draft == "precious!")
  }

  @Test func `one answer at a time in a channel, and others go on beside it`() {
    defer { remove() }
    let desk = desk()
    var given: [String] = []
    desk.giveBack = { given.append($0) }
    desk.perform(.send("a"))
    desk.perform(.send("b"))
    #expect(given == ["b"] && backend.turns.count == 1)
    desk.perform(.add(name: "Ops", agent: "ops"))
    desk.perform(.send("c"))
    #expect(backend.turns.last?.sessionKey == "agent:ops:cockpit-ops-v1")
    #expect(desk.board?.underWay == ["main", "ops"])
    var said: [String] = []
    desk.say = { said.append($0.description) }
    backend.tell(.text("x"), .ended(.completed), to: 0)
    #expect(said == ["'main' has an answer"])
    #expect(desk.board?.underWay == ["ops"])
    desk.perform(.abort)
    #expect(backend.cancelled == [1])
    #expect(desk.board?.underWay == ["ops"], "it is over when the server says so")
    backend.tell(.ended(.aborted), to: 1)
    #expect(desk.board?.underWay.isEmpty == true)
  }

  @Test func `a retry has the same key where the connection broke, and another one elsewhere`() {
    defer { remove() }
    let desk = desk()
    desk.perform(.send("a"))
    backend.tell(.ended(.failed(ChatFailure(.connection, "gone"))))
    desk.perform(.retry)
    #expect(backend.turns[1].idempotencyKey == backend.turns[0].idempotencyKey)
    backend.tell(.text("half"), .ended(.failed(ChatFailure(.agent, "overloaded"))), to: 1)
    desk.perform(.retry)
    #expect(backend.turns[2].idempotencyKey != backend.turns[1].idempotencyKey)
    #expect(backend.turns[2].message.text == "a")
    backend.tell(.text("done"), .ended(.completed), to: 2)
    desk.perform(.retry)
    #expect(backend.turns.count == 3)
    #expect(entries(desk).map(\.text) == ["a", "half", "done"])
    #expect(entries(self.desk()).map(\.text) == ["a", "half", "done"])
  }

  @Test func `a server without a history of its own gets the session's, without the message`() {
    defer { remove() }
    backend.abilities = [.tools]
    let desk = desk()
    desk.perform(.send("a"))
    backend.tell(.text("1"), .ended(.completed))
    desk.perform(.send("b"))
    #expect(
      backend.turns[1].history == .client([ChatMessage(.user, "a"), ChatMessage(.assistant, "1")]))
    backend.tell(.ended(.failed(ChatFailure(.connection, "x"))), to: 1)
    desk.perform(.retry)
    #expect(backend.turns[2].history == backend.turns[1].history)
    backend.tell(.ended(.completed), to: 2)
    desk.perform(.newConversation)
    desk.perform(.send("c"))
    #expect(backend.turns[3].history == .client([]))
    #expect(backend.turns[3].sessionKey.hasSuffix("-v2"))
    #expect(self.desk().board?.channel.version == 2)
  }

  @Test func `channels: added, renamed, moved, deleted, those of other sources untouched`() {
    defer { remove() }
    let other = desk(source: "ws://b")
    other.perform(.rename("main", to: "of b"))
    let first = desk()
    #expect(first.board?.channel.id == "main-2")
    first.perform(.add(name: "x", agent: nil))
    first.perform(.move("x", by: -1))
    first.perform(.rename("x", to: "y"))
    let next = desk()
    #expect(next.board?.channels.map(\.name) == ["y", "main"])
    next.perform(.send("kept"))
    backend.tell(.ended(.completed), to: backend.turns.count - 1)
    next.perform(.delete("x"))
    #expect(next.board?.channel.id == "main-2")
    next.perform(.delete("main-2"))
    #expect(next.board?.channels.count == 1, "the last one stays")
    next.perform(.add(name: "x", agent: nil))
    #expect(next.board?.channel.id == "x-2", "a deleted conversation is not taken up again")
    #expect(desk(source: "ws://b").board?.channels.map(\.name) == ["of b"])
  }

  @Test func `an image is told by its bytes, and goes with one message`() throws {
    defer { remove() }
    let folder = home + "-files"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func file(_ name: String, _ bytes: [UInt8]) -> String {
      _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data(bytes))
      return "\(folder)/\(name)"
    }
    let desk = desk()
    var said: [String] = []
    desk.say = { said.append($0.description) }
    desk.perform(.attach(path: file("text.png", Array("no image".utf8))))
    #expect(said.last?.contains("no PNG, JPEG, GIF or WebP image") == true)
    desk.perform(.attach(path: "\(folder)/none.png"))
    #expect(said.last?.contains("there is no file") == true)
    let big = Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 7 << 20)
    desk.perform(.attach(path: file("big.gif", big)))
    #expect(said.last?.contains("larger than") == true)
    for number in 1...9 {
      desk.perform(
        .attach(path: "file://" + file("a\(number).txt", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10])))
    }
    #expect(said.last?.contains("8 images at most") == true)
    #expect(desk.board?.attachments.count == 8)
    desk.perform(.send("look"))
    let types = backend.turns.last?.message.images.map(\.mimeType)
    #expect(types == .init(repeating: "image/png", count: 8))
    #expect(desk.board?.attachments.isEmpty == true)
    backend.tell(.ended(.completed))
    desk.perform(.send("and now"))
    #expect(backend.turns.last?.message.images.isEmpty == true)
  }

  /// What an image that is attached shows, once it is decoded.
  private func preview(_ desk: ChatDesk, _ place: Int) async throws -> ImagePreview {
    await waitUntil { desk.board?.attachments[place].preview != nil }
    return try #require(desk.board?.attachments[place].preview)
  }

  @Test func `an attached image has a preview, which stays with its message`() async throws {
    defer { remove() }
    let folder = home + "-files"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let picture = try #require(
      Picture(width: 400, height: 200, rgba: (0..<80_000).flatMap { _ in [10, 200, 30, 255] }))
    for (name, bytes) in [
      ("good.png", try PictureFile.png(picture)),
      ("cut.png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]),
      ("anim.gif", Array("GIF89a".utf8)),
    ] {
      try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
    }
    let desk = desk()
    for name in ["good.png", "cut.png", "anim.gif"] {
      desk.perform(.attach(path: "\(folder)/\(name)"))
    }
    let good = try await preview(desk, 0)
    #expect((good.width, good.height) == (400, 200))
    #expect((good.grid?.width, good.grid?.height) == (32, 16))
    #expect(good.grid?.colors.allSatisfy { $0 == 0x0AC81E } == true)
    #expect(try await preview(desk, 1).words.description.contains("damaged"))
    #expect(try await preview(desk, 2).words.description.contains("GIF images have no preview"))
    desk.perform(.send("look"))
    let first = try #require(entries(desk).first)
    #expect(desk.board?.previews[first.id]?.count == 3)
    #expect(desk.board?.attachments.isEmpty == true)
    backend.tell(.ended(.completed))
    desk.perform(.attach(path: "\(folder)/good.png"))
    desk.perform(.detach)
    desk.perform(.attach(path: "\(folder)/anim.gif"))
    // An image that was taken back is shown by no other, however late its preview comes.
    #expect(try await preview(desk, 0).grid == nil)
  }

  @Test func `an export replaces no file`() throws {
    defer { remove() }
    let desk = desk()
    desk.perform(.send("q"))
    backend.tell(.text("# a"), .ended(.completed))
    let path = home + "-export.md"
    defer { try? FileManager.default.removeItem(atPath: path) }
    desk.perform(.export(path: path))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == "# main\n\nAgent: default\n\n## You\n\nq\n\n## Agent\n\n# a\n")
    try Data("mine".utf8).write(to: URL(filePath: path))
    desk.perform(.export(path: path))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func `quitting in the middle of an answer keeps what had come`() {
    defer { remove() }
    let first = desk()
    first.perform(.send("q"))
    backend.tell(.text("half"))
    first.perform(.draft("next"))
    first.close()
    let next = desk()
    #expect(entries(next).map(\.text) == ["q", "half"])
    #expect(next.board?.draft == "next")
    next.perform(.retry)
    #expect(backend.turns[1].idempotencyKey == backend.turns[0].idempotencyKey)
  }
}
