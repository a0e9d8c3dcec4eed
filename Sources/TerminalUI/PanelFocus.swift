/// Which panel of a tab has the keys, and whether it has the whole tab.
package struct PanelFocus<Panel: Hashable & Sendable>: Hashable, Sendable {
  package var panel: Panel
  package var isZoomed = false

  package init(_ panel: Panel) { self.panel = panel }

  /// Moves the focus to another panel, wrapping around.
  ///
  /// - Parameter order: the panels in Tab order; a panel that is not among them counts as the
  ///   first.
  package mutating func step(by step: Int, in order: [Panel]) {
    guard !order.isEmpty else { return }
    let index = order.firstIndex(of: panel) ?? 0
    panel = order[((index + step) % order.count + order.count) % order.count]
  }

  /// Gives the other panels their places back; false when they have them.
  package mutating func unzoom() -> Bool {
    guard isZoomed else { return false }
    isZoomed = false
    return true
  }
}
