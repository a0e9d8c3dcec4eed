import CockpitStores
import TerminalCore
import TerminalUI

extension SettingsPane {
  /// The rectangles of the view.
  struct Layout: Hashable {
    var summary = Rect(width: 0, height: 0)
    /// What went wrong, or is under way; empty if there is nothing to say.
    var notice = Rect(width: 0, height: 0)
    var list = Rect(width: 0, height: 0)
    var detail = Rect(width: 0, height: 0)
    var runtime = Rect(width: 0, height: 0)
    var dividers: [Rect] = []
    var hasBoxes = false
    /// One panel at a time.
    var isSingle = false
    /// Whether the list names its columns.
    var hasColumnNames = false

    subscript(panel: Panel) -> Rect { panel == .list ? list : runtime }

    func content(_ panel: Panel) -> Rect {
      PanelFrame.content(of: self[panel], hasBox: hasBoxes)
    }

    /// Rows of the list in sight.
    var listRows: Int { max(1, content(.list).height - (hasColumnNames ? 1 : 0)) }
  }

  @MainActor func layout(_ facts: ViewContext, in body: Rect, of screen: Size) -> Layout {
    let size = LayoutClass(screen)
    var rest = body
    var parts = Layout()
    parts.hasBoxes = size.width >= .medium && size.height > .short
    if body.height >= 8 { parts.summary = rest.takeTop(1) }
    let notices = notices(facts, width: body.width - 2)
    if body.height >= 8 { parts.notice = rest.takeTop(min(notices.count, 2)) }
    let isAlone = isZoomed || size.width <= .extraSmall || rest.height < 10
    if isAlone || size.width < .medium {
      parts.isSingle = !isZoomed
      if !isAlone { parts.detail = rest.takeBottom(min(9, rest.height / 2)) }
      if focus == .runtime { parts.runtime = rest } else { parts.list = rest }
    } else if size.width == .medium {
      var side = rest.takeRight(rest.width * 40 / 100)
      if !parts.hasBoxes { parts.dividers.append(rest.takeRight(1)) }
      parts.runtime = side.takeBottom(side.height * (focus == .runtime ? 60 : 45) / 100)
      parts.detail = side
      parts.list = rest
    } else {
      parts.runtime = rest.takeRight(min(64, rest.width * 28 / 100))
      if !parts.hasBoxes { parts.dividers.append(rest.takeRight(1)) }
      parts.detail = rest.takeRight(min(60, rest.width * 34 / 100))
      if !parts.hasBoxes { parts.dividers.append(rest.takeRight(1)) }
      parts.list = rest
    }
    parts.hasColumnNames = parts.content(.list).width >= 56 && parts.content(.list).height >= 16
    return parts
  }
}
