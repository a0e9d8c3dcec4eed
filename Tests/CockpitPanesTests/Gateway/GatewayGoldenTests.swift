import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The screens of a gateway, and what hostile frames make of them.
@MainActor
@Suite struct GatewayGoldenTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]
  nonisolated static let screens: [(name: String, tab: Tab, keys: String)] = [
    ("pulse", .pulse, ""), ("brain", .brain, ""), ("cmd", .cmd, ""), ("control", .pulse, "!"),
  ]

  @Test("PULSE, BRAIN, CMD and the control sheet at three sizes", arguments: sizes)
  func screens(size: Size) throws {
    var scene = try GatewayScene()
    for screen in Self.screens {
      var shell = CockpitShell(tab: screen.tab, size: size)
      let canvas = scene.draw(&shell, keys: screen.keys)
      #expect(SoundCanvas.problems(of: canvas).isEmpty)
      try expectGolden(canvas, "gateway-\(screen.name)-\(size.width)x\(size.height)")
    }
  }

  /// Words that the protocol itself reads, and times: without them there is no row and no card.
  private static let vital: Set<String> = [
    "type", "id", "runId", "sessionKey", "key", "toolCallId", "questionId", "requestId", "jobId",
    "stream", "phase", "state", "status", "action", "role", "indicatorType", "scopes", "ts",
    "allowedDecisions", "decision", "itemId",
  ]
  private static let keys = ["", "Enter", "j Enter", "G Enter", "!", "! j", "! j j", "Tab z"]

  private func expectSound(_ scene: inout GatewayScene, round: Int, _ what: String) {
    for (place, tab) in [Tab.pulse, .brain, .cmd].enumerated() {
      let size = Self.sizes[(round + place) % Self.sizes.count]
      var shell = CockpitShell(tab: tab, size: size)
      let keys = Self.keys[(round + place) % Self.keys.count]
      let canvas = scene.draw(&shell, keys: keys)
      let found = SoundCanvas.problems(of: canvas)
      #expect(
        found.isEmpty,
        "\(what) \(tab) \(size.width)x\(size.height) after '\(keys)': \(found.prefix(3))\n\(canvas.text)"
      )
    }
  }

  @Test(
    "hostile text in every string of every frame tears no screen",
    arguments: 0..<Poison.texts.count)
  func texts(round: Int) throws {
    var scene = try GatewayScene { _, json in
      try Poisoner.document(json, .texts, round: round, spared: Self.vital)
    }
    #expect(scene.rows.count > 20, "the protocol's own words are spared")
    expectSound(&scene, round: round, "texts, round \(round)")
  }

  @Test("also where the protocol reads it itself", arguments: [0, 4, 9, 15])
  func everything(round: Int) throws {
    var scene = try GatewayScene { _, json in
      try Poisoner.document(json, .texts, round: round)
    }
    expectSound(&scene, round: round, "all texts, round \(round)")
  }

  @Test(
    "numbers that no gateway sends",
    arguments: Array(stride(from: 0, to: Poison.numbers.count, by: 4)))
  func numbers(round: Int) throws {
    var scene = try GatewayScene { _, json in
      try Poisoner.document(json, .numbers, round: round)
    }
    expectSound(&scene, round: round, "numbers, round \(round)")
  }
}
