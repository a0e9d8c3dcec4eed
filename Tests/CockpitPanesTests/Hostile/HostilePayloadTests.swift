import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// Every field of every answer is hostile once, in every tab: nothing that acts on a terminal is in
/// a cell, no box is torn, and nothing ends the program.
@MainActor
@Suite("hostile fields (promises P1, P2, P11)") struct HostilePayloadTests {
  /// Times, ids and closed words, without which no row and no session is drawn.
  private static let vital: Set<String> = [
    "kind", "created_at", "createdAt", "startedAt", "at", "id", "sessionId", "subject", "runId",
    "status", "role", "phase", "guild_id",
  ]
  private static let sizes: [(Int, Int)] = [
    (80, 24), (120, 40), (40, 10), (200, 60), (1, 4), (163, 30),
  ]
  private static let keys: [(Tab, [String])] = [
    (.pulse, ["", "Enter", "j Enter J", "G Enter z"]), (.voice, ["", "W", "Tab z", "] ] W"]),
    (.brain, ["", "Tab Enter", "j z"]), (.memory, ["", "j Enter", "Tab z"]),
    (.cmd, ["", "Tab z", "Tab Tab z"]),
  ]

  /// Draws all tabs over one scene, each at another size and after other keys in every round.
  private func expectSound(_ scene: inout HostileScene, round: Int, _ what: String) {
    for (place, (tab, sequences)) in Self.keys.enumerated() {
      let (width, height) = Self.sizes[(round + place) % Self.sizes.count]
      let keys = sequences[(round / 2 + place) % sequences.count]
      var shell = CockpitShell(tab: tab, size: Size(width: width, height: height))
      let canvas = scene.draw(&shell, keys: keys)
      let found = SoundCanvas.problems(of: canvas)
      #expect(
        found.isEmpty,
        "\(what) \(tab) \(width)x\(height) after '\(keys)': \(found.prefix(3))\n\(canvas.text)")
    }
  }

  @Test("texts", arguments: 0..<Poison.texts.count)
  func texts(round: Int) throws {
    var scene = try HostileScene { _, json in
      try Poisoner.document(json, .texts, round: round, spared: Self.vital)
    }
    expectSound(&scene, round: round, "texts, round \(round)")
  }

  @Test("texts, also for times, ids and closed words", arguments: [0, 5, 9, 14, 18])
  func everything(round: Int) throws {
    var scene = try HostileScene { _, json in
      try Poisoner.document(json, .texts, round: round)
    }
    expectSound(&scene, round: round, "all texts, round \(round)")
  }

  @Test("numbers", arguments: 0..<Poison.numbers.count)
  func numbers(round: Int) throws {
    var scene = try HostileScene { _, json in
      try Poisoner.document(json, .numbers, round: round, spared: ["id"])
    }
    expectSound(&scene, round: round, "numbers, round \(round)")
  }
}

/// What a canvas must be, whatever was written into it.
enum SoundCanvas {
  /// Sentences about cells that act, halves of wide glyphs, and boxes that are open.
  static func problems(of canvas: Canvas) -> [String] {
    cells(canvas) + boxes(canvas)
  }

  private static func cells(_ canvas: Canvas) -> [String] {
    var found: [String] = []
    for y in 0..<canvas.size.height {
      for x in 0..<canvas.size.width {
        let cell = canvas[x, y]
        if cell.width == 0 {
          if x == 0 || canvas[x - 1, y].width != 2 { found.append("half a glyph at \(x), \(y)") }
          continue
        }
        if cell.width == 2, x + 1 >= canvas.size.width || canvas[x + 1, y].width != 0 {
          found.append("half a glyph at \(x), \(y)")
        }
        for scalar in cell.glyph.scalars where isForbidden(scalar) {
          found.append("U+\(String(scalar.value, radix: 16)) at \(x), \(y)")
        }
      }
    }
    return found
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFE00...0xFE0F, 0xFEFF, 0xFFF9...0xFFFB, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF,
      0xE0000...0xE0FFF, 0xE000...0xF8FF:
      true
    default: false
    }
  }

  /// Below a corner every row of the box has its border in the corner's column.
  private static func boxes(_ canvas: Canvas) -> [String] {
    var found: [String] = []
    func text(_ x: Int, _ y: Int) -> UInt32 { canvas[x, y].glyph.base }
    let (left, right): (UInt32, UInt32) = (0x250C, 0x2510)  // ┌ ┐
    for y in 0..<canvas.size.height {
      for x in 0..<canvas.size.width where text(x, y) == left || text(x, y) == right {
        var below = y + 1
        while below < canvas.size.height, text(x, below) == 0x2502 { below += 1 }
        let end = below < canvas.size.height ? text(x, below) : 0
        if end != (text(x, y) == left ? 0x2514 : 0x2518) {
          found.append("the box of \(x), \(y) is open in row \(below)")
        }
      }
    }
    return found
  }
}
