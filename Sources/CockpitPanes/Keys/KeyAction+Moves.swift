import TerminalUI

extension KeyAction {
  /// The list movement of the command; nil if it is none.
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
