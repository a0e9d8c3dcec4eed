import CockpitChat
import CockpitFiles
import CockpitPanes
import Foundation
import TerminalCore
import Testing

@testable import CockpitSession

/// Messages that wait for an answer, and settings of a channel.
@MainActor @Suite struct ChatQueueTests {
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "clanky-queue-\(UUID().uuidString)").path()
  private let clock = StepClock()
  private let backend = ScriptedChat()

  private func desk() -> ChatDesk {
    let desk = ChatDesk(
      backend, source: "ws://a", files: ChatFolder(state: home), clock: clock
    ) { UUID().uuidString }
    desk.perform(.open)
    return desk
  }

  private func remove() { try? FileManager.default.removeItem(atPath: home) }

  @Test func `queued messages are sent one after the other, each after its answer`() {
    defer { remove() }
    let desk = desk()
    desk.perform(.queue("at once"))
    #expect(backend.turns.map(\.message.text) == ["at once"])
    desk.perform(.queue("second"))
    desk.perform(.queue("third"))
    #expect(backend.turns.count == 1 && desk.board?.queued == ["second", "third"])
    backend.tell(.text("a"), .ended(.completed))
    #expect(backend.turns.map(\.message.text) == ["at once", "second"])
    #expect(desk.board?.queued == ["third"])
    backend.tell(.text("b"), .ended(.completed))
    backend.tell(.text("c"), .ended(.completed))
    #expect(backend.turns.map(\.message.text) == ["at once", "second", "third"])
    #expect(desk.board?.queued.isEmpty == true)
  }

  @Test func `after an answer that failed or was aborted the queue waits for the user`() {
    defer { remove() }
    let desk = desk()
    var said: [String] = []
    desk.say = { said.append($0.description) }
    desk.perform(.send("one"))
    desk.perform(.queue("two"))
    backend.tell(.ended(.aborted))
    #expect(backend.turns.count == 1 && desk.board?.queued == ["two"])
    #expect(said.last?.contains("/queue send") == true)
    desk.perform(.sendQueued)
    #expect(backend.turns.last?.message.text == "two" && desk.board?.queued.isEmpty == true)
    desk.perform(.queue("three"))
    desk.perform(.queue("four"))
    desk.perform(.dropQueued(1))
    #expect(desk.board?.queued == ["four"])
    desk.perform(.dropQueued(7))
    #expect(desk.board?.queued == ["four"])
    desk.perform(.dropQueued(nil))
    #expect(desk.board?.queued.isEmpty == true)
  }

  @Test func `what is queued outlives the program, and is not sent by itself`() throws {
    defer { remove() }
    let first = desk()
    first.perform(.send("one"))
    first.perform(.queue("two\nlines \u{1F600}"))
    let names = try FileManager.default.contentsOfDirectory(atPath: home + "/chat-drafts")
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: "\(home)/chat-drafts/\(name)")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    // The process is killed here.
    let next = desk()
    #expect(next.board?.queued == ["two\nlines \u{1F600}"])
    #expect(backend.turns.count == 1)
    next.perform(.sendQueued)
    #expect(backend.turns.last?.message.text == "two\nlines \u{1F600}")
    #expect(desk().board?.queued.isEmpty == true)
  }

  @Test func `a model of a gateway is a setting of its session, a refusal is said`() {
    defer { remove() }
    let desk = desk()
    var said: [String] = []
    desk.say = { said.append($0.description) }
    desk.perform(.setModel("fast/one"))
    desk.perform(.setThinking("high"))
    #expect(backend.changes.map(\.0) == [.model("fast/one"), .thinking("high")])
    #expect(backend.changes.allSatisfy { $0.session == "agent:main:cockpit-main-v1" })
    #expect(said.last == "thinking from now on: high")
    backend.refusal = ChatFailure(.unsupported, "This server has no such setting.")
    desk.perform(.setThinking("low"))
    #expect(said.last == "This server has no such setting.")
    #expect(desk.board?.channel.version == 1)
  }

  @Test func `a model of another server is named with each message, in the same conversation`() {
    defer { remove() }
    backend.abilities = [.images, .models]
    let desk = desk()
    desk.perform(.send("one"))
    backend.tell(.text("a"), .ended(.completed))
    desk.perform(.setModel("large"))
    #expect(backend.changes.isEmpty && desk.board?.channel.version == 1)
    desk.perform(.send("two"))
    #expect(backend.turns.last?.agent == "large")
    #expect(
      backend.turns.last?.history
        == .client([ChatMessage(.user, "one"), ChatMessage(.assistant, "a")]))
  }
}
