import TerminalUI
import CockpitStores
import TerminalCore

extension MemoryPane {
  /// Wide and tall screens share their height by what the panels have to show.
  @MainActor func layout(_ facts: ViewContext, in body: Rect, of screen: Size) -> Layout {
    var parts = rectangles(facts, in: body, of: screen)
    parts.order = panels(in: parts)
    return parts
  }

  @MainActor private func rectangles(
    _ facts: ViewContext, in body: Rect, of screen: Size
  ) -> Layout {
    let size = LayoutClass(screen)
    var rest = body
    var parts = Layout()
    parts.width = size.width
    parts.hasBoxes = size.width >= .medium && size.height > .short
    if body.height >= 8 { parts.summary = rest.takeTop(1) }
    parts.bar = rest.takeTop(1)
    parts.remark = rest.takeTop(min(remarkHeight(size), rest.height - 6))
    guard view == .facts else {
      parts.panels[.document] = rest
      return parts
    }
    if isZoomed || size.width == .extraSmall || rest.height < 9 {
      parts.isSingle = !isZoomed
      parts.panels[focus] = rest
      return parts
    }
    switch size.width {
    case .extraSmall, .small: small(&rest, &parts)
    case .medium: medium(&rest, &parts)
    case .large where rest.width >= 150 && rest.height >= 40: tall(facts, &rest, &parts)
    case .large: large(&rest, &parts)
    }
    return parts
  }

  /// Lines for the notes on a search or a RECALL question.
  private func remarkHeight(_ size: LayoutClass) -> Int {
    switch bar {
    case .search?: size.width >= .medium ? 1 : 2
    case .find?, .filter?: 0
    case nil: view == .facts && query.source == .search ? 1 : 0
    }
  }

  private func small(_ rest: inout Rect, _ parts: inout Layout) {
    parts.chips = rest.takeTop(1)
    // The picker replaces the list.
    guard focus != .subjects else {
      parts.panels[.subjects] = rest
      return
    }
    if rest.height >= 12 {
      parts.panels[.detail] = rest.takeBottom(min(12, rest.height * 2 / 5))
    } else if focus == .detail {
      parts.panels[.detail] = rest
      return
    }
    parts.panels[.facts] = rest
  }

  private func medium(_ rest: inout Rect, _ parts: inout Layout) {
    if rest.height >= 30 { parts.panels[.reflections] = rest.takeBottom(3) }
    if rest.height >= 14 {
      parts.panels[.subjects] = parts.takeLeft(22, of: &rest)
    } else {
      parts.chips = rest.takeTop(1)
      guard focus != .subjects else {
        parts.panels[.subjects] = rest
        return
      }
    }
    var right = rest
    let list = right.width - max(36, right.width * 3 / 8)
    parts.panels[.facts] = parts.takeLeft(list, of: &right)
    parts.panels[.detail] = right
  }

  private func large(_ rest: inout Rect, _ parts: inout Layout) {
    parts.panels[.subjects] = parts.takeLeft(26, of: &rest)
    if rest.width >= 150 { parts.panels[.reflections] = rest.takeRight(34) }
    var right = rest.takeRight(min(50, rest.width * 2 / 5))
    if right.height >= 26 { parts.panels[.provenance] = right.takeBottom(right.height * 2 / 5) }
    parts.panels[.detail] = right
    parts.panels[.facts] = rest
  }

  /// The list on the left, all about the fact and the subjects on the right.
  @MainActor private func tall(_ facts: ViewContext, _ rest: inout Rect, _ parts: inout Layout) {
    var right = rest.takeRight(min(90, rest.width * 9 / 20))
    parts.panels[.facts] = rest
    let subjects = SubjectList(facts, guild: query.guild, caches: caches).entries.count + 1
    // Where there are no runs a line says so, across the whole width.
    parts.panels[.reflections] = Rect(width: right.width, height: 6)
    let runs = lines(.reflections, facts, parts).count
    if runs <= 2 { parts.panels[.reflections] = right.takeBottom(runs + 2) }
    var bottom = right.takeBottom(min(subjects + 2, right.height / 3))
    if runs > 2 {
      parts.panels[.subjects] = bottom.takeLeft(34)
      parts.panels[.reflections] = bottom
    } else {
      parts.panels[.subjects] = bottom
    }
    parts.panels[.detail] = right
    parts.panels[.provenance] = Rect(width: right.width, height: 1)
    let detail = lines(.detail, facts, parts).count
    let top = right.takeTop(min(max(4, detail + 2), right.height / 2))
    parts.panels[.detail] = top
    parts.panels[.provenance] = right
  }

  /// The panels in the order of Tab.
  private func panels(in layout: Layout) -> [Panel] {
    guard view == .facts else { return [.document] }
    if layout.isSingle || isZoomed { return [.subjects, .facts, .detail] }
    let shown = Panel.allCases.filter { !layout[$0].isEmpty }
    // Panels replaced by a picker or the detail stay reachable.
    let always: Set<Panel> = [.subjects, .facts, .detail]
    return Panel.allCases.filter { shown.contains($0) || always.contains($0) }
  }
}
