import TerminalUI

extension KeyAction {
  /// How it moves a cursor through a list; nil when it does not.
  var listMove: ListMove? {
    switch self {
    case .down: .down
    case .up: .up
    case .halfPageDown: .halfPageDown
    case .halfPageUp: .halfPageUp
    case .pageDown: .pageDown
    case .pageUp: .pageUp
    case .top: .top
    case .bottom: .bottom
    default: nil
    }
  }
}
