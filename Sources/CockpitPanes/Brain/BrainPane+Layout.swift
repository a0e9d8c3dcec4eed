import TerminalUI
import TerminalCore

extension BrainPane {
  func layout(in body: Rect, of screen: Size) -> Layout {
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
    case .large where rest.height >= 30: large(&rest, &parts)
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

  private func large(_ rest: inout Rect, _ parts: inout Layout) {
    parts.calls = rest.takeLeft(60)
    var right = rest.takeRight(52)
    parts.budget = right.takeBottom(min(16, right.height / 3))
    parts.facts = right.takeBottom(right.height / 2)
    parts.context = right
    parts.chain = rest.takeBottom(min(18, rest.height / 3))
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
