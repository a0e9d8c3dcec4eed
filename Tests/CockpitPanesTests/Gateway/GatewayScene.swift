import ClankyWire
import CockpitDomain
import CockpitStores
import LenientJSON
import OpenClawWire
import TerminalCore
import TerminalUI

@testable import CockpitPanes
@testable import CockpitShell
@testable import OpenClawSource

/// Two minutes at an invented gateway: its frames go through the folds of the source into stores and panes.
@MainActor
struct GatewayScene: ShellScene {
  /// The greeting, the lists and every type of event that has a meaning (OPENCLAW.md, 6 to 11), as payloads.
  static let frames: [(name: String, json: String)] =
    GatewayFrames.greeting + GatewayFrames.events

  private var fixture = Fixture(rows: [], hasVoiceState: false, hasStats: false)
  private let board: ControlBoard?
  private let overview: GatewayOverview?
  /// Rows that the events made, as the source gives them.
  private(set) var rows: [[UInt8]] = []

  /// - Parameter payload: the bytes of a frame's payload; those of the story, if nothing is said.
  init(payload: (_ name: String, _ json: String) throws -> [UInt8] = { Array($1.utf8) }) throws {
    var feed = GatewayFeed()
    var desk = ControlDesk()
    var picture = GatewayPicture()
    var atMs = Fixture.nowMs - 120_000
    for (name, json) in Self.frames {
      let value = try JSONValue.parse(try payload(name, json))
      atMs += 2_000
      var new: [LiveRow] = []
      switch name {
      case "hello-ok":
        let scopes = ["operator.read", "operator.write", "operator.approvals", "operator.admin"]
        guard let hello = GatewayHello(value, requested: scopes) else { continue }
        picture.greeted(hello)
        new = [feed.greeted(hello, nowMs: atMs)]
      case "agents.list": _ = picture.take(.listAgents, .success(value))
      case "sessions.list": _ = picture.take(.listSessions(limit: 200), .success(value))
      case "cron.list": _ = picture.take(.listJobs, .success(value))
      case "device.pair.list": desk.take(.listPairings, .success(value))
      default:
        let event = GatewayEvent(name: name, payload: value, sequence: nil)
        new = feed.take(event, nowMs: atMs)
        _ = desk.take(event, nowMs: atMs)
        _ = picture.take(event)
      }
      for row in new {
        let json = row.json
        rows.append(json)
        try fixture.live(String(decoding: json, as: UTF8.self))
      }
    }
    board = ControlBoard(try JSONValue.parse(picture.control(desk, feed.runs.live)))
    overview = GatewayOverview(try JSONValue.parse(picture.overview()))
  }

  mutating func facts(_ shell: CockpitShell) -> ViewContext {
    var facts = fixture.facts(query: shell.pulse.feedQuery)
    var status = SourceStatus()
    status.overall = .live
    status[.activity].state = .live
    status[.activity].lastByteAtNs = Fixture.monotonicNs - 400_000_000
    facts.status = status
    facts.kind = .openclaw
    facts.control = board
    facts.gateway = overview
    facts.profile = "claw"
    return facts
  }
}
