/// Elements that were left out of a canvas, by the reason.
package struct CanvasLosses: Hashable, Sendable {
  /// Without an id, of an unknown type, or no object.
  package var unreadable = 0
  /// With a content beyond `CanvasCommand.maximumContent`, or dropped for `CanvasPicture.maximumBytes`.
  package var tooLarge = 0
  /// Beyond `CanvasCommand.maximumElements`.
  package var tooMany = 0

  package init() {}

  package var count: Int { unreadable + tooLarge + tooMany }

  package static func += (left: inout CanvasLosses, right: CanvasLosses) {
    left.unreadable += right.unreadable
    left.tooLarge += right.tooLarge
    left.tooMany += right.tooMany
  }
}
