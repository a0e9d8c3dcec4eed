import CockpitAnswers
import Networking
import TerminalUI
import CockpitDomain
import CockpitStores
import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// When the link is lost, what came through it is the past: grey, with its time, and nothing of it goes on.
@MainActor @Suite struct PastDataTests {
  private static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]
  private static let lost: [LinkState] = [.reconnecting, .stale, .stopped]

  /// A screen so many seconds after the last byte came, at 14:32:08.
  private func screen(
    _ tab: Tab, _ size: Size, _ state: LinkState, after seconds: Int
  ) -> Canvas {
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    return CockpitShell(tab: tab, size: size)
      .render(facts(&fixture, state, after: seconds), size: size).canvas
  }

  private func facts(
    _ fixture: inout Fixture, _ state: LinkState, after seconds: Int
  ) -> ViewContext {
    var facts = fixture.facts()
    facts.status.overall = state
    facts.status[.activity].state = state
    facts.status[.voice].state = state
    facts.status[.activity].lastByteAtNs = Fixture.monotonicNs
    facts.status[.voice].lastByteAtNs = Fixture.monotonicNs
    if state == .stopped {
      facts.status[.activity].failure = .refused(origin: "http://127.0.0.1:8787")
    }
    facts.nowMs += Int64(seconds) * 1000
    facts.monotonicNs += UInt64(seconds) * 1_000_000_000
    return facts
  }

  /// The roles of the cells that hold a text.
  private func roles(_ text: String, _ canvas: Canvas) -> Set<Role> {
    var roles: Set<Role> = []
    for y in 0..<canvas.size.height {
      let row = Array(canvas.text(row: y)), wanted = Array(text)
      guard row.count >= wanted.count else { continue }
      for x in 0...row.count - wanted.count where Array(row[x..<x + wanted.count]) == wanted {
        for column in x..<x + wanted.count { roles.insert(canvas[column, y].role) }
      }
    }
    return roles
  }

  @Test("D5: what came through a link that is lost says as of when", arguments: Tab.allCases)
  func asOf(tab: Tab) {
    guard tab != .memory else { return }  // it asks by REST, and has a time of its own
    for size in Self.sizes {
      for state in Self.lost {
        let canvas = screen(tab, size, state, after: 42)
        #expect(canvas.text.contains("as of 14:32:09"), "\(state) \(canvas.text)")
      }
      #expect(!screen(tab, size, .live, after: 0).text.contains("as of"))
    }
  }

  @Test(
    "D5: nothing of it is in the colour of now, and no green light stays on",
    arguments: Tab.allCases)
  func grey(tab: Tab) {
    for size in Self.sizes {
      for state in Self.lost {
        let canvas = screen(tab, size, state, after: 42)
        // What the feed, CMD's own panels and the frame of the screen say is not of the link.
        for y in 1..<size.height - 1 where tab == .voice || tab == .brain {
          for x in 0..<size.width where canvas[x, y].role == .positive {
            Issue.record("\(tab) \(state) \(size): \(canvas.text(row: y))")
          }
        }
      }
    }
    guard tab == .pulse else { return }
    let wide = Self.sizes[1]
    #expect(roles("UTC", screen(.pulse, wide, .live, after: 0)).contains(.cost))
    #expect(!roles("UTC", screen(.pulse, wide, .reconnecting, after: 42)).contains(.cost))
    for size in Self.sizes {
      #expect(roles("FOLLOW", screen(.pulse, size, .live, after: 0)) == [.positive])
      for state in Self.lost {
        #expect(roles("FOLLOW", screen(.pulse, size, state, after: 42)) == [.muted])
      }
    }
    let before = screen(.pulse, Self.sizes[1], .live, after: 0)
    #expect(roles("voice live", before) == [.positive])
    #expect(
      roles("voice was live", screen(.pulse, Self.sizes[1], .reconnecting, after: 42)) == [.muted])
  }

  @Test(
    "D5: no word says that it is live, or goes on, where nothing is heard", arguments: Tab.allCases)
  func words(tab: Tab) {
    for size in Self.sizes {
      for state in Self.lost {
        let canvas = screen(tab, size, state, after: 42)
        for y in 1..<size.height - 1 {
          let row = canvas.text(row: y)
          for word in ["[LIVE]", "voice live", "live feed", "idle now"] {
            #expect(!row.contains(word), "\(tab) \(state) \(size): \(row)")
          }
          // PULSE follows the newest row that there is, whatever its age.
          if tab != .pulse { #expect(!row.contains("FOLLOW"), "\(tab) \(state) \(size): \(row)") }
        }
      }
    }
  }

  @Test("D5: lights of CMD are grey, those of our own connection are not")
  func lights() {
    var fixture = CommandFixture.rich()
    let size = Size(width: 120, height: 40)
    var facts = fixture.facts(CockpitShell(tab: .cmd, size: size))
    for state in Self.lost {
      facts.status.overall = state
      facts.status[.activity].state = state
      facts.status[.voice].state = state
      facts.status[.activity].failure = .refused(origin: "http://127.0.0.1:8787")
      facts.status[.activity].lastByteAtNs = Fixture.monotonicNs
      facts.nowMs = Fixture.nowMs + 300_000
      facts.monotonicNs = Fixture.monotonicNs + 300_000_000_000
      let canvas = CockpitShell(tab: .cmd, size: size).render(facts, size: size).canvas
      for label in ["BOT ", "GATEWAY ", "TUNNEL "] {
        guard let y = (0..<size.height).first(where: { canvas.text(row: $0).contains(label) }),
          let start = canvas.text(row: y).range(of: label)
        else {
          Issue.record("no \(label)")
          continue
        }
        let x = canvas.text(row: y).distance(
          from: canvas.text(row: y).startIndex, to: start.lowerBound)
        for column in x..<x + 30 {
          #expect(
            canvas[column, y].role == .muted || canvas[column, y].role == .border,
            "\(label) \(canvas.text(row: y))")
        }
      }
    }
  }

  @Test("D5: running times and open bars end where the data end", arguments: [Tab.voice, .brain])
  func frozen(tab: Tab) {
    for size in Self.sizes {
      let first = screen(tab, size, .reconnecting, after: 1)
      let later = screen(tab, size, .reconnecting, after: 600)
      for y in 1..<size.height - 2 { #expect(first.text(row: y) == later.text(row: y)) }
    }
  }

  @Test("D5: VOICE NOW stands still and says so")
  func voiceNow() {
    let size = Size(width: 200, height: 60)
    let live = screen(.pulse, size, .live, after: 0)
    #expect(live.text.contains("VOICE NOW"))
    let first = screen(.pulse, size, .reconnecting, after: 1)
    let later = screen(.pulse, size, .reconnecting, after: 600)
    #expect(!later.text.contains("VOICE NOW") && !later.text.contains("LIVE FEED"))
    for canvas in [first, later] {
      let side = (1..<8).map { String(canvas.text(row: $0).suffix(40)) }
      let before = (1..<8).map { String(first.text(row: $0).suffix(40)) }
      #expect(side == before)
    }
  }

  @Test("D5: one stream that is lost greys what came over it, and not the other's")
  func oneStream() {
    var fixture = Fixture()
    var facts = fixture.facts()
    facts.status[.voice].state = .reconnecting
    facts.status[.voice].lastByteAtNs = Fixture.monotonicNs - 5_000_000_000
    facts.status.overall = .degraded
    #expect(facts.dataEndMs(.activity) == nil)
    #expect(facts.triage.asOfMs == nil)
    #expect(facts.dataEndMs(.voice) == Fixture.nowMs)
    // Polling stands in for a stream.
    facts.status[.voice].state = .polling
    #expect(facts.dataEndMs(.voice) == nil)
    // A stream that is not wanted says nothing.
    facts.status[.voice] = StreamStatus(state: .stopped)
    #expect(facts.dataEndMs(.voice) == nil)
  }
}
