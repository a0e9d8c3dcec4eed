import TerminalCore

/// Size classes. Width and height are independent, so 200x20 and 60x60 have layouts designed for
/// them.
package struct LayoutClass: Hashable, Sendable {
  package enum Width: Int, Comparable, Sendable {
    case extraSmall, small, medium, large
    package static func < (left: Width, right: Width) -> Bool { left.rawValue < right.rawValue }
  }
  package enum Height: Int, Comparable, Sendable {
    case short, normal, tall
    package static func < (left: Height, right: Height) -> Bool { left.rawValue < right.rawValue }
  }

  /// Smaller screens show only how large they need to be.
  package static let minimum = Size(width: 40, height: 10)

  package let width: Width
  package let height: Height

  package init(_ size: Size) {
    width =
      switch size.width {
      case ..<60: .extraSmall
      case ..<100: .small
      case ..<160: .medium
      default: .large
      }
    height =
      switch size.height {
      case ..<20: .short
      case ..<40: .normal
      default: .tall
      }
  }
}
