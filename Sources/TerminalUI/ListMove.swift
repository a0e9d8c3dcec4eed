/// A movement through a list.
package enum ListMove: Hashable, Sendable {
  case down, up, halfPageDown, halfPageUp, pageDown, pageUp, top, bottom

  /// Lines down; up is negative. The ends are farther away than any list is long.
  ///
  /// - Parameter page: lines in sight.
  package func lines(page: Int) -> Int {
    switch self {
    case .down: 1
    case .up: -1
    case .halfPageDown: max(1, page / 2)
    case .halfPageUp: -max(1, page / 2)
    case .pageDown: max(1, page)
    case .pageUp: -max(1, page)
    case .top: -.max / 2
    case .bottom: .max / 2
    }
  }
}
