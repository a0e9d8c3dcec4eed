import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// A fact that stood in front of the model, or that the session has loaded.
struct UsedFact {
  var fact: Fact
  /// Why it is there: `guidance`, `behaviour`, `speaker`, `relevant`, `session`.
  var use: PlainText
}

/// The facts that were given along, and the way to them in MEMORY.
struct FactsPanel {
  let used: [UsedFact]
  /// Whether they are those of the answer, and not of the session.
  let isOfGeneration: Bool
  /// What is said where there are none.
  let none: PlainText
  /// The right end of the title.
  let trailing: PlainText
  let scroll: Int
  let line: Int
  let hasFocus: Bool
  /// What stands behind their number.
  let behind: RowsBehind

  @MainActor static func title(
    _ used: [UsedFact], isOfGeneration: Bool, _ facts: ViewContext
  ) -> PlainText {
    let title: PlainText = isOfGeneration || used.isEmpty ? "facts used" : "facts loaded"
    return facts.isUnheard ? title : title + " \(used.count)"
  }

  /// Why it is not said whose fact it is.
  @MainActor private static func unknown(_ fact: Fact, _ facts: ViewContext) -> PlainText {
    if fact.id == nil { return "no id in the prompt" }
    return facts.memory.coverage(of: nil).isComplete ? "not in MEMORY now" : "MEMORY not loaded yet"
  }

  @MainActor func render(_ facts: ViewContext, _ layout: BrainLayout, into frame: inout Frame) {
    guard !layout.facts.isEmpty else { return }
    let title = Self.title(used, isOfGeneration: isOfGeneration, facts)
    let area = layout.draw(
      .facts, title, trailing: trailing, hasFocus: hasFocus,
      behind: (used.isEmpty ? nil : behind, nil), into: &frame)
    guard !area.isEmpty else { return }
    guard !used.isEmpty else {
      frame.canvas.inside(area) { canvas in
        for (y, line) in none.wrapped(to: area.width, limit: area.height).enumerated() {
          canvas.write(line, y: y, role: .muted)
        }
      }
      return
    }
    let top = max(0, min(scroll, used.count - area.height))
    for (offset, item) in used.dropFirst(top).prefix(area.height).enumerated() {
      let index = top + offset
      let row = Rect(x: area.x, y: area.y + offset, width: area.width, height: 1)
      frame.mark(row, .brain(.fact(index)))
      let isSelected = hasFocus && index == line
      frame.canvas.inside(row) { canvas in
        let back: Role? = isSelected ? .selection : nil
        if isSelected {
          canvas.fill(canvas.bounds, background: .selection)
          canvas.placeCursor()
        }
        let head = min(24, canvas.bounds.width / 3)
        if item.fact.subject == nil, item.fact.factType == nil {
          // A prompt has the words of a fact; whose it is stands in MEMORY.
          canvas.write(
            Self.unknown(item.fact, facts).cut(to: head), role: .muted, background: back)
        } else {
          let subject = item.fact.subject.map { facts.names.subject($0) } ?? "-"
          let type = item.fact.factType?.rawValue ?? "-"
          canvas.write(
            (PlainText(subject, limit: 40) + "/" + PlainText(type, limit: 20)).cut(to: head),
            role: .memory, background: back)
        }
        var x = head + 1
        x =
          canvas.write(
            Figures.unit(item.fact.confidence).leftPadded(to: 3), x: x, role: .number,
            background: back) + 1
        if canvas.bounds.width >= 50, item.use != "session" {
          x = canvas.write(item.use.padded(to: 9), x: x, role: .muted, background: back) + 1
        }
        // The owner's private facts are shown in MEMORY, where they are asked for.
        let isHidden = OwnerMask().hides(item.fact)
        let text =
          isHidden ? OwnerMask.text(facts.keys) : PlainText(item.fact.fact ?? "-", limit: 400)
        canvas.write(
          text.cut(to: max(0, canvas.bounds.width - x)), x: x,
          role: isHidden ? .warning : .text, background: back)
      }
    }
  }
}
