import CockpitAnswers
import CockpitStores
import TerminalUI
import TerminalCore

extension BrainPane {
  /// Wide screens share their height by what the panels have to show.
  @MainActor func layout(_ facts: ViewContext, in body: Rect, of screen: Size) -> Layout {
    let size = LayoutClass(screen)
    var rest = body
    var parts = Layout()
    parts.hasBoxes = size.width >= .medium && size.height > .short
    parts.strip = rest.takeTop(1)
    if isZoomed || size.width == .extraSmall {
      parts.isSingle = !isZoomed
      parts.set(focus, rest)
      return parts
    }
    switch size.width {
    case .extraSmall, .small: small(&rest, size, &parts)
    case .medium: medium(&rest, &parts)
    case .large where rest.height >= 30: large(facts, &rest, &parts)
    case .large: medium(&rest, &parts)
    }
    return parts
  }

  private func small(_ rest: inout Rect, _ size: LayoutClass, _ parts: inout Layout) {
    if size.height > .short {
      var top = rest.takeTop(3)
      parts.budget = top
      top = rest.takeBottom(min(4, rest.height / 5 + 1))
      parts.facts = parts.takeLeft(top.width / 2, of: &top)
      parts.context = top
      parts.chain = rest.takeBottom(rest.height >= 14 ? 5 : 4)
    } else if rest.height >= 10 {
      parts.chain = rest.takeBottom(3)
    }
    // On a low screen the calls are a picker: three lines above the prompt.
    if rest.height < 6 {
      parts.set(focus == .calls ? .calls : .prompt, rest)
      return
    }
    parts.calls = parts.takeLeft(min(38, rest.width * 9 / 20), of: &rest)
    parts.prompt = rest
  }

  private func medium(_ rest: inout Rect, _ parts: inout Layout) {
    if rest.height >= 32 {
      var bottom = rest.takeBottom(7)
      parts.facts = parts.takeLeft(bottom.width / 2, of: &bottom)
      parts.context = bottom
    }
    if rest.height >= 22 {
      var middle = rest.takeBottom(min(9, rest.height / 3))
      parts.chain = parts.takeLeft(middle.width * 3 / 5, of: &middle)
      parts.budget = middle
    } else if rest.height >= 10 {
      parts.chain = rest.takeBottom(parts.hasBoxes ? 4 : 3)
    }
    parts.calls = parts.takeLeft(max(44, rest.width * 3 / 8), of: &rest)
    parts.prompt = rest
  }

  @MainActor private func large(_ facts: ViewContext, _ rest: inout Rect, _ parts: inout Layout) {
    parts.calls = rest.takeLeft(60)
    var right = rest.takeRight(52)
    let budget =
      isOfSession(facts) ? right.height / 3 : 2 + (subject(facts)?.exchange.calls.count ?? 1)
    parts.budget = right.takeBottom(min(16, max(4, budget), right.height / 3))
    let chain = chain(facts)?.chain
    // Flow, critical path, sums, and the axis with its heading and a blank line above.
    let lines = chain.map {
      ChainFlow(chain: $0).pieces(width: right.width - 4).height + $0.nodes.count + 4
    }
    parts.chain = right.takeBottom(min(max(6, (lines ?? 2) + 2), right.height / 3))
    let used = usedFacts(facts).facts.count
    parts.facts = right.takeBottom(min(max(4, used + 2), right.height / 2))
    parts.context = right
    parts.prompt = rest
  }

  /// The panels in the order of Tab; on a narrow screen all of them, one after the other.
  func panels(in layout: Layout) -> [Panel] {
    if layout.isSingle || isZoomed { return Panel.allCases }
    let shown = Panel.allCases.filter { !layout[$0].isEmpty }
    // A picker that is not in sight can still be reached.
    return shown.contains(.calls) ? shown : [.calls] + shown
  }
}
