import CockpitAnswers
import TerminalUI
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Observation
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// A frame comes when something changes that the last one has read. So whatever a pane shows of a store
/// has to be observed: else it is shown late, with the next frame that comes for another reason.
@MainActor @Suite struct ObservedFrameTests {
  private static let keys = [
    "j", "k", "G", "t", "Enter", "Esc", "F", "Tab", "?", "1", "1", "2", "3", "4", "5", "1",
  ]

  private static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 50, height: 14),
  ]

  @Test("what changes a frame is told to who drew it", arguments: 0..<12)
  func told(round: Int) throws {
    var random = SystemRandomNumberGenerator()
    var fixture = Fixture()
    // Judged before the frame, outside of what is observed.
    fixture.triage = TriageReport(isKnown: true)
    var shell = CockpitShell(size: Self.sizes[round % Self.sizes.count])
    var walk = ""
    var silent = 0
    for step in 0..<60 {
      if Bool.random(using: &random), let key = Self.keys.randomElement(using: &random) {
        shell.type(key, &fixture)
        walk += " " + key
      }
      // How long a row counts as new is kept apart, and has a timer of its own.
      _ = fixture.actions.dropStale(atNs: .max, within: FeedStyle.freshMs)
      let flag = Flag()
      let before = withObservationTracking {
        Self.draw(shell, &fixture)
      } onChange: {
        MainActor.assumeIsolated { flag.isUp = true }
      }
      let change = try change(&fixture, step: step, using: &random)
      walk += " [\(change)]"
      guard !flag.isUp else { continue }
      silent += 1
      _ = fixture.actions.dropStale(atNs: .max, within: FeedStyle.freshMs)
      let isSame = Self.draw(shell, &fixture) == before
      try #require(isSame, "nobody was told after\(walk)")
    }
    #expect(silent > 0, "every change is told, so this compares nothing")
  }

  @Test("PULSE hears of a voice session that comes or goes, and not of the ages in a silent one")
  func silentRoom() {
    var fixture = Fixture()
    fixture.readsVoice = false
    // Judged before the frame, outside of what is observed.
    fixture.triage = TriageReport(isKnown: true)
    let shell = CockpitShell(size: Size(width: 120, height: 40))
    func isReported(of text: String) -> Bool {
      let flag = Flag()
      withObservationTracking {
        let facts = fixture.facts()
        _ = shell.render(facts, size: shell.size)
        _ = WindowTitle(facts)
      } onChange: {
        MainActor.assumeIsolated { flag.isUp = true }
      }
      Fixture.withBytes(text) { fixture.voice.apply($0, atNs: Fixture.monotonicNs) }
      return flag.isUp
    }
    #expect(!isReported(of: Self.sessions(1, age: 3000)))
    #expect(!isReported(of: Self.sessions(1, age: 6000)))
    #expect(fixture.voice.sessions.first?.inactivityEndsAt != nil)
    #expect(isReported(of: Self.sessions(2, age: 9000)))
    #expect(!isReported(of: Self.sessions(2, age: 12000)))
    #expect(isReported(of: Self.sessions(0, age: 0)))
    #expect(fixture.voice.sessionCount == 0)
  }

  @MainActor private final class Flag {
    var isUp = false
  }

  /// As the cockpit does it: the feed and what is known of voice sessions follow the log first.
  private static func draw(_ shell: CockpitShell, _ fixture: inout Fixture) -> Canvas {
    _ = fixture.activity.revision
    fixture.voice.follow(fixture.activity.log)
    return shell.render(fixture.facts(query: shell.pulse.feedQuery), size: shell.size).canvas
  }

  private static func sessions(_ count: Int, age: Int) -> String {
    let sessions = (0..<count).map { index in
      """
      {"sessionId":"s-\(index)","guildId":"500000000000000001","mode":"openai_realtime",\
      "inactivityEndsAt":"2026-03-01T14:\(10 + age / 1000 % 40):09.000Z",\
      "participants":[{"userId":"700000000000000001","displayName":"james"}],\
      "membershipEvents":[{"userId":"700000000000000001","eventType":"join","ageMs":\(age)}]}
      """
    }
    return "{\"activeCount\":\(count),\"sessions\":[\(sessions.joined(separator: ","))]}"
  }

  /// Has one of the stores learn something.
  private func change(
    _ fixture: inout Fixture, step: Int, using random: inout some RandomNumberGenerator
  ) throws -> String {
    let number = Int.random(in: 0...2, using: &random)
    switch Int.random(in: 0...9, using: &random) {
    case 0:
      let kinds = ["sent_reply", "llm_call", "voice_error", "memory_fact", "voice_runtime"]
      let time = "2026-03-01T14:\(31 + number / 2):0\(step % 10).000Z"
      try fixture.live(
        "{\"createdAt\":\"\(time)\",\"kind\":\"\(kinds[step % 5])\",\"content\":\"row \(step)\"}")
      return "row"
    case 1:
      fixture.connection.learn(user: "70000000000000000\(step % 5)", name: "name \(number)")
      return "user"
    case 2:
      fixture.connection.learn(channels: [])
      fixture.connection.learn(guilds: [])
      return "nothing"
    case 3, 4, 5:
      Fixture.withBytes(Self.sessions(number, age: step * 1000)) {
        fixture.voice.apply($0, atNs: Fixture.monotonicNs)
      }
      return "\(number) sessions"
    case 6:
      let text = Fixture.stats.replacing("\"guildCount\":2", with: "\"guildCount\":\(number)")
      Fixture.withBytes(text) { fixture.activity.applyStats($0, atMs: 0) }
      return "stats"
    case 7:
      var status = fixture.connection.status
      status.overall = [.live, .reconnecting, .polling][number]
      status[.activity].state = status.overall
      fixture.connection.apply(status)
      return "status"
    case 8:
      fixture.connection.reject("broken \(number)")
      return "rejected"
    default:
      let gap = IDGapRow(from: 10_000 + step, to: 10_002 + step, atMs: Fixture.nowMs, kind: .lost)
      fixture.activity.applyGap(gap)
      if number == 0 {
        fixture.activity.resolveGap(
          from: 10_000 + step, to: 10_002 + step, as: .filled(count: 0))
      }
      return "gap"
    }
  }
}
