import ClankyWire
import Observation
import Testing

@testable import CockpitStores

@MainActor @Suite struct ActivityStoreTests {
  @Test func tellsWhatChanged() throws {
    let store = ActivityStore()
    let error = Fact(
      id: 2, timeMs: startMs + 5, kind: "llm_error", content: "x", user: nil, channel: nil)
    let call = Fact(id: 1, timeMs: startMs, kind: "llm_call", content: "x", user: nil, channel: nil)
    let before = store.revision
    let report = Array("[\(error.stored),\(call.stored)]".utf8).withUnsafeBytes {
      store.applySnapshot($0, nowMs: startMs)
    }
    #expect(report.added == 2 && store.revision != before)
    #expect(store.newestError.flatMap(store.log.row)?.actionID == 2)
    #expect(throws: ActionRejection.notAnObject) {
      try Array("[1]".utf8).withUnsafeBytes {
        _ = try store.applyLive($0, from: .activity, nowMs: startMs)
      }
    }
    #expect(store.lastRejection == "the action is not a JSON object")
    let gap = store.applyGap(IDGapRow(from: 3, to: 4, atMs: startMs + 9, kind: .filled(count: 2)))
    #expect(store.log.index(of: gap) == 0)
    store.applyReset(keepingRows: false)
    #expect(store.log.isEmpty && store.newestError == nil)
  }

  @Test("statistics that differ in the voice alone are no news, and the payload is the newest")
  func statsBesideVoice() {
    let store = ActivityStore()
    func text(_ guilds: Int, _ voice: String) -> String {
      "{\"stats\":{},\"runtime\":{\"voice\":\(voice),\"guildCount\":\(guilds)}}"
    }
    for (guilds, voice) in [
      (3, "{}"), (3, "{}"), (3, "{\"sessions\":[]}"), (3, "null"), (4, "null"), (4, "{\"a\":1}"),
      (4, "{broken"), (5, "{}"),
    ] {
      let json = text(guilds, voice)
      let isBroken = voice == "{broken"
      let isChanged = store.stats?.runtime?.guildCount != guilds
      let payload = store.statsPayload
      var told = false
      withObservationTracking {
        _ = store.stats
      } onChange: {
        MainActor.assumeIsolated { told = true }
      }
      Array(json.utf8).withUnsafeBytes { store.applyStats($0, atMs: 0) }
      #expect(told == (isChanged && !isBroken), "\(json)")
      #expect(store.statsPayload == (isBroken ? payload : Array(json.utf8)))
      if !isBroken { #expect(store.stats?.runtime?.guildCount == guilds) }
    }
    #expect(store.lastRejection?.hasPrefix("statistics: ") == true)
  }
}
