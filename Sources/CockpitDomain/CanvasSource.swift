/// A source whose agents draw, and hear what is done with the drawing.
@MainActor
package protocol CanvasSource: Source {
  /// Sends what the user did on the canvas. `done` is called once, asynchronously.
  func touch(_ touch: CanvasTouch, done: @escaping @MainActor (ControlOutcome) -> Void)
}

/// Something that the user did on a canvas.
package struct CanvasTouch: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case tap
    case longPress
    /// A drawing over the whole canvas, as a PNG file.
    case draw(png: [UInt8])
  }

  package var kind: Kind
  /// The element, by its id; for a drawing nil, if it is of no element.
  package var element: String?
  /// The content of the element that the user saw, from its beginning: what has changed since gets no tap.
  package var seen: String
  /// Where, in thousandths of the canvas.
  package var x, y: Double

  /// Characters of a content that are compared.
  package static let seenLength = 400

  package init(
    _ kind: Kind, element: String?, seen: String = "", x: Double = 0, y: Double = 0
  ) {
    self.kind = kind
    self.element = element
    self.seen = String(seen.prefix(Self.seenLength))
    (self.x, self.y) = (x, y)
  }
}
