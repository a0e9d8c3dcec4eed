import CockpitStores
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// Drawing keeps nothing: what takes long is prepared before it, and a frame does not depend on that.
@MainActor @Suite struct PreparedTests {
  @Test("reading keeps nothing, preparing makes a value once")
  func keeps() {
    var prepared = Prepared<Int, String>()
    #expect(prepared.value(1) { "read" } == "read")
    prepared.prepare(1) { "first" }
    prepared.prepare(1) { "second" }
    #expect(prepared.value(1) { "read" } == "first")
    #expect(prepared.value(2) { "read" } == "read")
    prepared.prepare(2) { "other" }
    #expect(prepared.value(1) { "read" } == "read")
  }

  @Test("of several values the one that was wanted longest ago goes")
  func evicts() {
    var prepared = Prepared<Int, Int>(limit: 2)
    for key in [1, 2, 1, 3] { prepared.prepare(key) { key } }
    #expect([1, 2, 3].map { prepared.value($0) { -1 } } == [1, -1, 3])
  }

  @Test("a frame is the same with and without what was prepared for it", arguments: Tab.allCases)
  func sameFrame(tab: Tab) {
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    let memory = MemoryFixture()
    for size in [Size(width: 80, height: 24), Size(width: 200, height: 60)] {
      var shell = CockpitShell(tab: tab, size: size)
      var facts = fixture.facts()
      if tab == .memory { facts.memory = memory.store }
      let bare = shell.render(facts, size: size)
      shell.prepare(facts)
      let prepared = shell.render(facts, size: size)
      #expect(bare.canvas == prepared.canvas)
      #expect(shell.render(facts, size: size).canvas == prepared.canvas)
    }
  }

  @Test("the chains of a log that has changed are made anew")
  func chains() throws {
    let fixture = Fixture()
    let log = fixture.activity.log
    guard let call = fixture.activity.calls.calls(in: log, by: .time).first else {
      Issue.record("the story has no call")
      return
    }
    var chains = TextChains()
    chains.prepare([call.row], in: log)
    let known = chains.chain(of: call.row, in: log)
    #expect(known == TextChains().chain(of: call.row, in: log))
    try fixture.live(
      #"{"kind":"sent_reply","guildId":"500000000000000001","channelId":"600000000000000001","#
        + #""content":"done","createdAt":"2026-03-01T14:32:09.000Z","metadata":{}}"#)
    #expect(
      chains.chain(of: call.row, in: log) == TextChains().chain(of: call.row, in: log))
  }
}
