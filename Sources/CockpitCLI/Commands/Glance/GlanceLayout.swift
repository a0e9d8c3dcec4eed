import CockpitText
import TerminalCore

/// Which lines of which sources fit: a pure function.
@MainActor
struct GlanceLayout {
  private let views: [GlanceView]

  init(_ views: [GlanceView]) { self.views = views }

  /// That of the worst source.
  var exitCode: Int32 { StatusOfSources.worst(views.map(\.exitCode)) }

  /// The lines, cut to a width.
  func lines(_ limit: Int, columns: Int) -> [[GlanceText.Span]] {
    let lines = views.count == 1 ? Array(views[0].lines.prefix(limit)) : several(limit)
    return lines.map { GlanceText.cut($0, to: columns) }
  }

  /// The first line of each, the worst source first; then what is wrong or waits; then the rest.
  private func several(_ limit: Int) -> [[GlanceText.Span]] {
    let order = views.enumerated().sorted {
      (rank($0.element.exitCode), $0.offset) < (rank($1.element.exitCode), $1.offset)
    }.map(\.element)
    let width = views.compactMap { $0.name.map { PlainText($0, limit: 24).columns } }.max() ?? 0
    func labelled(_ view: GlanceView, _ line: [GlanceText.Span]) -> [GlanceText.Span] {
      let name = PlainText(view.name ?? "", limit: 24).padded(to: width)
      return [GlanceText.Span(name + "  ", .muted)] + line
    }
    var lines = order.compactMap { view in view.lines.first.map { labelled(view, $0) } }
    if lines.count > limit {
      let hidden = lines.count - limit + 1
      lines = Array(lines.prefix(limit - 1))
      lines.append([GlanceText.Span("and \(hidden) more sources", .muted)])
      return lines
    }
    let urgent = order.flatMap { view in
      view.lines.prefix(view.urgent).dropFirst().map { labelled(view, $0) }
    }
    let rest = order.flatMap { view in
      view.lines.dropFirst(max(1, view.urgent)).map { labelled(view, $0) }
    }
    return lines + (urgent + rest).prefix(limit - lines.count)
  }

  /// The order of `StatusOfSources.worst`.
  private func rank(_ code: Int32) -> Int {
    [2, 4, 3, 1, 5].firstIndex(of: code) ?? (code == 0 ? 6 : 5)
  }
}
