import Testing

@testable import CockpitStores

@MainActor
@Suite struct ActionLogNamingTests {
  /// A log with rows of messages, the oldest first.
  private func log(_ messages: [String]) throws -> ActivityStore {
    let activity = ActivityStore()
    for (index, message) in messages.enumerated() {
      let fact = Fact(
        id: 1 + index, timeMs: startMs + Int64(index), kind: "sent_reply", content: "words",
        user: "1", channel: "7", metadata: "{\"triggerMessageIds\":[\"\(message)\"]}", cost: nil)
      try Array(fact.live.utf8).withUnsafeBytes {
        _ = try activity.applyLive($0, from: .activity, nowMs: startMs)
      }
    }
    return activity
  }

  @Test(
    "a message is found however many rows came since; behind its rows only so many are looked at")
  func oldRows() throws {
    let messages =
      ["1500"] + Array(repeating: "9", count: 40) + ["1400"]
      + Array(repeating: "9", count: 10) + ["1400"] + Array(repeating: "9", count: 60)
    let activity = try log(messages)
    func places(_ message: String, limit: Int) -> [Int] {
      activity.log.rows(holding: message, limit: limit).map { $0 - activity.log.firstRow }
    }
    #expect(places("1500", limit: 5) == [0])
    #expect(places("1400", limit: 20) == [52, 41])
    #expect(places("1400", limit: 5) == [52])
    #expect(places("1300", limit: 5).isEmpty)
  }
}
