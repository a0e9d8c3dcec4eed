import CockpitPanes
import CockpitRules
import CockpitText
import TerminalCore
import TerminalUI

/// The time line of the past: how much was recorded when, where the playhead stands, and how far the live bot
/// is. Letters mark where incidents begin. While it has the focus, keys move the playhead; else it takes only the keys that play.
package struct TimeLine: Layer, Hashable {
  /// Whether arrows and digits move the playhead.
  package var hasFocus: Bool

  package init(hasFocus: Bool) { self.hasFocus = hasFocus }

  package var placement: LayerPlacement { .strip(lines: 2) }
  package var isKeptOnSwitch: Bool { true }

  @MainActor package mutating func handle(
    _ event: LayerEvent, _ context: LayerContext
  ) -> LayerOutcome {
    guard context.facts.replay != nil else { return .close }
    guard case .key(let press) = event else { return .passed }
    if let request = Self.playing(press) { return .effects([.replay(request)]) }
    guard hasFocus else { return .passed }
    if press.modifiers.isEmpty || press.modifiers == .shift {
      switch press.key {
      case .enter:
        hasFocus = false
        return .stay
      case .escape: return .effects([.replay(.live)])
      default: break
      }
    }
    guard let request = Self.moving(press) else { return .passed }
    return .effects([.replay(request)])
  }

  /// The keys that work with and without the focus.
  private static func playing(_ press: KeyPress) -> ReplayRequest? {
    guard press.modifiers.isEmpty || press.modifiers == .shift,
      case .char(let character) = press.key
    else { return nil }
    switch character {
    case "<": return .speed(isFaster: false)
    case ">": return .speed(isFaster: true)
    case ".": return .step(isOlder: false)
    case ",": return .step(isOlder: true)
    default: return nil
    }
  }

  /// The keys that work with the focus.
  private static func moving(_ press: KeyPress) -> ReplayRequest? {
    let isLong = press.modifiers == .shift
    guard press.modifiers.isEmpty || isLong else { return nil }
    switch press.key {
    case .left: return .move(byMs: isLong ? -60_000 : -10_000)
    case .right: return .move(byMs: isLong ? 60_000 : 10_000)
    case .char(let character):
      if let digit = character.wholeNumberValue, character.isASCII { return .tenth(digit) }
      switch character {
      case "+": return .zoom(isIn: true)
      case "-": return .zoom(isIn: false)
      case "s": return .skipQuiet
      default: return nil
      }
    default: return nil
    }
  }

  /// The keys of the past, for the help.
  static func glossary(_ keys: KeyTable) -> [GlossaryEntry] {
    [
      GlossaryEntry("Space", "play, and pause"),
      GlossaryEntry("< >", "slower, faster: 1x to 64x"),
      GlossaryEntry(", .", "to the row before, to the next row"),
      GlossaryEntry("C  W  i", IncidentMark.meaning),
      GlossaryEntry(
        "]e ]g ]d ]m", "to the next older error, gap, day, mark in all that was recorded; [ newer"),
      GlossaryEntry("} {", "to the turn before, to the next turn"),
      GlossaryEntry(keys.text(.note), "a mark at the playhead, with a note"),
      GlossaryEntry(keys.text(.pin), "keep the recording before the playhead, whatever its age"),
      GlossaryEntry(
        keys.text(.timeLine), "give the keys below to the time line, or back to the tab"),
      GlossaryEntry("Left Right", "10 s earlier, later; with Shift 1 min"),
      GlossaryEntry("0 to 9", "to a tenth of the stretch that the time line shows"),
      GlossaryEntry("+ -", "a shorter, a longer stretch"),
      GlossaryEntry("s", "pass stretches without rows quickly, or not"),
      GlossaryEntry(keys.text(.follow) + " q Esc", "back to the live bot"),
    ]
  }

  @MainActor package func keyLine(_ context: LayerContext) -> PlainText? {
    let playing: PlainText = "Space plays  < > speed  , . row"
    // Of a file there is no live bot to go back to.
    let isFile = context.facts.replay?.file != nil
    return hasFocus
      ? "Left Right 10 s  Space plays  Enter to the tab  " + (isFile ? "" : "Esc live  ")
        + "0-9 tenth  + - stretch  "
        + "< > speed  , . row  S-Left S-Right 1 min  s skip quiet"
      : playing + "  } { turn  ]e error  ]g gap  ]d day  ]m mark  "
        + context.facts.keys.text(.timeLine)
        + " time line"
        + (isFile ? "" : "  " + context.facts.keys.text(.follow) + " live")
  }

  @MainActor package func render(
    _ context: LayerContext, in area: Rect, into frame: inout Frame
  ) {
    guard let replay = context.facts.replay, area.height > 0 else { return }
    let clock = context.facts.clock
    let row = area.y
    line(
      replay, context.facts.incidents.incidents, clock,
      in: Rect(x: area.x, y: row, width: area.width, height: 1), into: &frame)
    guard area.height > 1 else { return }
    frame.canvas.inside(Rect(x: area.x, y: row + 1, width: area.width, height: 1)) { canvas in
      let live: PlainText =
        replay.file ?? replay.liveWord + " +" + Figures.count(replay.liveRows) + " new, "
        + Figures.count(replay.liveFailures)
        + " err "
      let words: PlainText
      let role: Role
      if replay.isReading {
        (words, role) = ("reading " + PlainText(replay.origin ?? "history", limit: 60), .muted)
      } else if let missing = replay.missing {
        (words, role) = (PlainText(missing, limit: 200), .warning)
      } else if let problem = replay.problem {
        (words, role) = (PlainText(problem, limit: 300), .negative)
      } else {
        let quiet: PlainText =
          replay.isPlaying && replay.skipsQuiet ? ", skips quiet stretches" : ""
        words =
          "REPLAY of " + clock.day(ms: replay.atMs) + " " + clock.time(ms: replay.atMs) + quiet
          + (replay.mark.map { ", marked: " + PlainText($0.isEmpty ? "no note" : $0, limit: 80) }
            ?? "")
          + ", on record since " + clock.day(ms: replay.recorded.lowerBound).dropFirst(columns: 5)
          + " " + clock.time(ms: replay.recorded.lowerBound).prefix(columns: 5)
          + (replay.origin.map { ", from " + PlainText($0, limit: 60) } ?? "")
        role = .warning
      }
      canvas.write(words.cut(to: max(0, area.width - live.columns - 3)), x: 1, role: role)
      canvas.write(live, x: area.width - live.columns, role: .muted)
    }
  }

  /// Begin and end of what is shown, and between them the amount of rows, with failures, holes and the playhead.
  @MainActor private func line(
    _ replay: ReplayState, _ incidents: [Incident], _ clock: ClockFormat, in area: Rect,
    into frame: inout Frame
  ) {
    let isLong = replay.window.upperBound - replay.window.lowerBound > 86_400_000
    func label(_ ms: Int64) -> PlainText {
      isLong ? clock.day(ms: ms) : clock.time(ms: ms).prefix(columns: 5)
    }
    let begin = label(replay.window.lowerBound)
    let end = label(replay.window.upperBound)
    let bar = area.width - begin.columns - end.columns - 4
    guard bar >= 10, !replay.parts.isEmpty else { return }
    let most = max(1, replay.parts.map(\.rows).max() ?? 1)
    let length = max(1, replay.window.upperBound - replay.window.lowerBound)
    func column(_ ms: Int64) -> Int {
      Int((ms - replay.window.lowerBound) * Int64(bar) / length)
    }
    let marks = IncidentMark.worst(
      (replay.incidents + incidents).filter { replay.window.contains($0.fromMs) }
        .map { (column($0.fromMs), $0.level) })
    frame.canvas.inside(area) { canvas in
      canvas.write(begin, x: 1, role: hasFocus ? .focus : .muted)
      canvas.write(end, x: area.width - end.columns - 1, role: hasFocus ? .focus : .muted)
      let start = begin.columns + 2
      let live = column(replay.liveMs)
      var wasPinned = false
      for x in 0..<bar {
        let parts = replay.parts[
          x * replay.parts.count
            / bar..<max(
              x * replay.parts.count / bar + 1, (x + 1) * replay.parts.count / bar)]
        let rows = parts.map(\.rows).max() ?? 0
        let isPinned = parts.contains(where: \.isPinned)
        defer { wasPinned = isPinned }
        let attributes: Attributes = isPinned ? .underline : []
        if x == column(replay.atMs) {
          canvas.symbol(.vertical, x: start + x, y: 0, role: .focus)
        } else if parts.contains(where: \.hasMark) {
          canvas.write("m", x: start + x, role: .focus, attributes: attributes)
        } else if isPinned, !wasPinned {
          // A terminal without underlining shows at least where it begins.
          canvas.write("P", x: start + x, role: .positive, attributes: attributes)
        } else if x > live {
          continue
        } else if let level = marks[x], level > .info || !parts.contains(where: { $0.failures > 0 })
        {
          IncidentMark.draw(level, x: start + x, into: &canvas)
        } else if parts.contains(where: { $0.failures > 0 }) {
          canvas.write("!", x: start + x, role: .negative, attributes: attributes.union(.bold))
        } else if parts.contains(where: \.isMissing) {
          canvas.write(".", x: start + x, role: .warning, attributes: attributes)
        } else {
          canvas.symbol(
            .spark(rows == 0 ? 0 : max(1, rows * 8 / most)), x: start + x, y: 0, role: .number,
            attributes: attributes)
        }
      }
    }
  }
}
