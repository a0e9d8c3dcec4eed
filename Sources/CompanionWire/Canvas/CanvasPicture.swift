/// What an agent's canvas shows now, by its commands: a pure fold.
package struct CanvasPicture: Sendable, Equatable {
  /// In the order in which they are drawn: later ones cover earlier ones.
  package private(set) var elements: [CanvasElement] = []
  /// Elements that were left out since the last clear.
  package private(set) var losses = CanvasLosses()
  package var skipped: Int { losses.count }

  /// Bytes of all contents together; the longest drawn go first.
  package static let maximumBytes = 16 << 20

  package init() {}

  package subscript(id: String) -> CanvasElement? { elements.first { $0.id == id } }

  /// Elements that act, in reading order: what the digits 1 to 9 stand for.
  package var interactive: [CanvasElement] {
    elements.filter(\.isInteractive).sorted {
      ($0.bounds.y, $0.bounds.x, $0.id) < ($1.bounds.y, $1.bounds.x, $1.id)
    }
  }

  package mutating func take(_ command: CanvasCommand) {
    switch command.action {
    case .clear:
      elements = []
      losses = CanvasLosses()
      return
    case .draw:
      elements = []
      losses = CanvasLosses()
    case .update, .animate: break
    }
    losses += command.losses
    for element in command.elements {
      if let place = elements.firstIndex(where: { $0.id == element.id }) {
        elements[place] = element
      } else if elements.count < CanvasCommand.maximumElements {
        elements.append(element)
      } else {
        losses.tooMany += 1
      }
    }
    var bytes = elements.reduce(0) { $0 + $1.content.utf8.count }
    while bytes > Self.maximumBytes, !elements.isEmpty {
      bytes -= elements.removeFirst().content.utf8.count
      losses.tooLarge += 1
    }
  }
}
