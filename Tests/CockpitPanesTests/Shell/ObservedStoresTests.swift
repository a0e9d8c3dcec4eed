import TerminalUI
import ClankyWire
import Observation
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// What MEMORY and CMD show of their stores has to be observed, as `ObservedFrameTests` says of the
/// others.
@MainActor @Suite struct ObservedStoresTests {
  private static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 50, height: 14),
  ]

  @MainActor private final class Flag {
    var isUp = false
  }

  private func draw(_ body: () -> Canvas) -> (before: Canvas, flag: Flag) {
    let flag = Flag()
    let before = withObservationTracking(body) {
      MainActor.assumeIsolated { flag.isUp = true }
    }
    return (before, flag)
  }

  @Test("what changes a frame of MEMORY is told to who drew it", arguments: 0..<8)
  func memory(round: Int) throws {
    var random = SystemRandomNumberGenerator()
    var fixture = MemoryFixture()
    var shell = CockpitShell(tab: .memory, size: Self.sizes[round % Self.sizes.count])
    var walk = ""
    let keys = ["j", "k", "G", "Tab", "Enter", "Esc", "]", "[", "z", "o", "v", "g g"]
    for step in 0..<50 {
      if Bool.random(using: &random), let key = keys.randomElement(using: &random) {
        fixture.type(key, &shell)
        walk += " " + key
      }
      let (before, flag) = draw { fixture.draw(&shell).canvas }
      let number = Int.random(in: 0...2, using: &random)
      walk += " [\(Self.change(fixture, number, step: step, using: &random))]"
      guard !flag.isUp else { continue }
      let isSame = fixture.draw(&shell).canvas == before
      try #require(isSame, "nobody was told after\(walk)")
    }
  }

  private static func change(
    _ fixture: MemoryFixture, _ number: Int, step: Int,
    using random: inout SystemRandomNumberGenerator
  ) -> String {
    let store = fixture.store
    let fact = MemoryFixture.facts[step % MemoryFixture.facts.count]
    switch Int.random(in: 0...8, using: &random) {
    case 0:
      let other = MemoryFixture.fact(fact.id ?? 0, fact.subject ?? "", "text \(step)")
      store.facts.merge([other], guild: MemoryFixture.workshop)
      return "fact"
    case 1:
      store.coverage[MemoryFixture.workshop]?.isComplete = number == 0
      return "coverage"
    case 2:
      store.guildNames[MemoryFixture.crew] = "Crew \(number)"
      return "guild"
    case 3:
      store.reflections = number == 0 ? .loading(nil) : .failed(.other("broken \(number)"), nil)
      return "reflections"
    case 4:
      store.journal = number == 0 ? .loading(nil) : .loaded([], atMs: Fixture.nowMs)
      return "journal"
    case 5:
      store.diskProblem = number == 0 ? nil : "disk \(number)"
      return "disk"
    case 6:
      store.undoProblem = number == 0 ? nil : "undo \(number)"
      return "undo"
    case 7:
      store.guildsFailure = number == 0 ? nil : .other("guilds \(number)")
      return "guilds"
    default:
      store.subjects[MemoryFixture.crew]?.removeAll { _ in number == 0 }
      return "subjects"
    }
  }

  @Test("what changes a frame of CMD is told to who drew it", arguments: 0..<8)
  func command(round: Int) throws {
    var random = SystemRandomNumberGenerator()
    var fixture = CommandFixture.rich()
    var shell = CockpitShell(tab: .cmd, size: Self.sizes[round % Self.sizes.count])
    var walk = ""
    let keys = ["j", "k", "G", "Tab", "Enter", "Esc", "]", "[", "z"]
    for step in 0..<50 {
      if Bool.random(using: &random), let key = keys.randomElement(using: &random) {
        fixture.type(key, &shell)
        walk += " " + key
      }
      let (before, flag) = draw { fixture.draw(&shell).frame.canvas }
      let number = Int.random(in: 0...2, using: &random)
      let store = fixture.store
      switch Int.random(in: 0...5, using: &random) {
      case 0: store.guilds = number == 0 ? .loading(nil) : .failed(.other("broken \(number)"), nil)
      case 1:
        store.browserSessions =
          number == 0 ? .loading(nil) : .failed(.other("broken \(number)"), nil)
      case 2:
        store.accounts = number == 0 ? .loading(nil) : .failed(.other("broken \(number)"), nil)
      case 3: store.canLeave = number == 0 ? nil : number == 1
      case 4:
        store.automations[CommandFixture.crew] =
          number == 0 ? .loading(nil) : .failed(.other("x"), nil)
      default:
        let text = Fixture.stats.replacing("\"guildCount\":2", with: "\"guildCount\":\(step)")
        Fixture.withBytes(text) { fixture.base.activity.applyStats($0, atMs: 0) }
      }
      walk += " [change]"
      guard !flag.isUp else { continue }
      let isSame = fixture.draw(&shell).frame.canvas == before
      try #require(isSame, "nobody was told after\(walk)")
    }
  }
}
