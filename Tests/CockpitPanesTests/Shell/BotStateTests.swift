import CockpitAnswers
import TerminalUI
import CockpitText
import CockpitDomain
import ClankyWire
import CockpitStores
import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The second of the two healths, on every tab.
@MainActor @Suite struct BotStateTests {
  private static let sizes = [
    Size(width: 80, height: 24), Size(width: 100, height: 30), Size(width: 120, height: 40),
    Size(width: 200, height: 60),
  ]

  private static let lost = Fixture.stats
    .replacing("\"isReady\":true", with: "\"isReady\":false")
    .replacing(
      "\"guildCount\":2",
      with: """
        "guildCount":2,"gateway":{"hasConnectedAtLeastOnce":true,"reconnectInFlight":true,\
        "reconnectAttempts":3,"lastGatewayEventAt":"2026-03-01T14:30:01.000Z"}
        """)
  private static let tunnel = Fixture.stats.replacing(
    "\"status\":\"ready\"",
    with: "\"enabled\":true,\"status\":\"error\",\"lastError\":\"cloudflared exited\"")

  private func fixture(_ stats: String, state: LinkState = .live) -> Fixture {
    let fixture = Fixture(state: state)
    Fixture.withBytes(stats) { fixture.activity.applyStats($0, atMs: 0) }
    return fixture
  }

  /// The first row of a screen, and everything on it.
  private func screen(
    _ fixture: inout Fixture, _ tab: Tab, _ size: Size
  ) -> (header: String, text: String, canvas: Canvas) {
    let canvas = CockpitShell(tab: tab, size: size).render(fixture.facts(), size: size).canvas
    return (canvas.text(row: 0), canvas.text, canvas)
  }

  @Test("D4: both healths are words in the header of every tab", arguments: Tab.allCases)
  func header(tab: Tab) {
    for size in Self.sizes {
      for (stats, word) in [
        (Fixture.stats, "● bot ok"), (Self.lost, "bot offline"), (Self.tunnel, "tunnel down"),
      ] {
        var fixture = fixture(stats)
        let header = screen(&fixture, tab, size).header
        #expect(header.contains("LIVE"), "\(header)")
        #expect(header.contains(word), "\(header)")
        for other in Tab.allCases {
          let name = "\(other.rawValue + 1) \(other.title)"
          #expect(header.contains(name), "\(header) has no \(name)")
        }
      }
      var silent = Fixture(hasStats: false)
      #expect(screen(&silent, tab, size).header.contains("○ bot ?"))
    }
  }

  @Test("D4: the word is there in the smallest screens too, in its shortest form")
  func narrow() {
    for (stats, words) in [
      (Fixture.stats, ["bot ok"]), (Self.lost, ["bot !", "bot offline"]),
      (Self.tunnel, ["bot !", "tunnel down"]),
    ] {
      for width in 40..<80 {
        var fixture = fixture(stats)
        let header = screen(&fixture, .pulse, Size(width: width, height: 20)).header
        #expect(words.contains { header.contains($0) }, "\(width): \(header)")
        #expect(header.contains("LIVE") && header.contains("14:32:09"), "\(width): \(header)")
      }
    }
  }

  @Test(
    "D4: a bot without Discord and a failed tunnel have a row on every tab", arguments: Tab.allCases
  )
  func row(tab: Tab) {
    for size in Self.sizes {
      var offline = fixture(Self.lost)
      let text = screen(&offline, tab, size).text.split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(
        text.contains("! The bot is re")
          || text.contains("! bot offline since 14:32."), "\(text)")
      #expect(text.contains("since 14:32") || text.contains("Since 14:3"), "\(text)")
      #expect(text.contains("It reconnects by itself; else see its log."), "\(text)")
      var closed = fixture(Self.tunnel)
      let tunnel = screen(&closed, tab, size).text
      #expect(
        tunnel.contains("~ The bot's tunnel") || tunnel.contains("~ tunnel down seen at")
      )
      #expect(tunnel.contains("See the bot's log; restart the bot."))
      var well = fixture(Fixture.stats)
      #expect(!screen(&well, tab, size).text.contains("The bot"))
    }
  }

  @Test("D4: the green of our connection is not the bot's, and its word is not colour alone")
  func colors() {
    let size = Size(width: 120, height: 40)
    func role(_ word: String, _ fixture: inout Fixture) -> Role? {
      let (header, _, canvas) = screen(&fixture, .pulse, size)
      guard let range = header.range(of: word) else { return nil }
      return canvas[header.distance(from: header.startIndex, to: range.lowerBound), 0].role
    }
    var offline = fixture(Self.lost)
    #expect(role("LIVE", &offline) == .positive)
    #expect(role("bot offline", &offline) == .negative)
    var well = fixture(Fixture.stats)
    #expect(role("bot ok", &well) == .positive)
    // The link is lost: the bot's current state is unknown.
    var past = fixture(Fixture.stats, state: .reconnecting)
    #expect(role("bot ok?", &past) == .muted)
    var pastTrouble = fixture(Self.lost, state: .stopped)
    #expect(role("bot offline?", &pastTrouble) == .muted)
  }

  @Test("D4: the window title names what is wrong with the bot beside the state of the connection")
  func title() {
    var offline = fixture(Self.lost)
    #expect(WindowTitle(offline.facts()).words.text.hasPrefix("clanky: LIVE bot offline voice"))
    var well = fixture(Fixture.stats)
    #expect(WindowTitle(well.facts()).words.text.hasPrefix("clanky: LIVE voice"))
  }

  @Test("D4: a quiet tick with a row about the bot draws the header alone, as without one")
  func still() {
    var offline = fixture(Self.tunnel)
    let shell = CockpitShell(size: Size(width: 120, height: 40))
    _ = offline.facts().actions.dropStale(atNs: .max, within: FeedStyle.freshMs)
    let facts = offline.facts(query: shell.pulse.feedQuery)
    let last = shell.render(facts, size: shell.size)
    var later = facts
    later.nowMs += 3000
    later.monotonicNs += 3_000_000_000
    let still = shell.render(later, size: shell.size, tickAfter: last)
    #expect(still?.canvas == shell.render(later, size: shell.size).canvas)
    Fixture.withBytes(Fixture.stats) { offline.activity.applyStats($0, atMs: 0) }
    #expect(shell.render(offline.facts(), size: shell.size, tickAfter: last) == nil)
  }
}
