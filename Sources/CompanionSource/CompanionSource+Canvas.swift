internal import CockpitChat
package import CockpitDomain
internal import CompanionWire
internal import LenientJSON
internal import Networking

/// The canvas as a document, and what is done on it.
extension CompanionSource: CanvasSource {
  /// What a drawing without an element is sent for.
  private static let wholeCanvas = "canvas"
  /// Bytes of text of one element that the document has: more than any screen shows.
  private static let maximumText = 32 << 10

  package func touch(
    _ touch: CanvasTouch, done: @escaping @MainActor (ControlOutcome) -> Void
  ) {
    let outcome = outcome(of: touch)
    _ = clock.schedule(afterNs: 0) { done(outcome) }
  }

  private func outcome(of touch: CanvasTouch) -> ControlOutcome {
    let point = (x: min(1_000, max(0, touch.x)), y: min(1_000, max(0, touch.y)))
    let message: ClientMessage
    let words: String
    if case .draw(let png) = touch.kind {
      message = .canvas(
        element: touch.element ?? Self.wholeCanvas, .draw, point: nil, png: Base64.encoded(png))
      words = "The drawing was sent: \(png.count) bytes."
    } else {
      guard let element = touch.element.flatMap({ canvas[$0] }), element.isInteractive,
        element.content.prefix(CanvasTouch.seenLength) == touch.seen
      else {
        return ControlOutcome(
          isDone: false, "It has changed since it was shown; nothing was sent. Look again.")
      }
      let event: ClientMessage.CanvasEvent = touch.kind == .tap ? .tap : .longPress
      message = .canvas(element: element.id, event, point: point, png: nil)
      words = event == .tap ? "tap: sent" : "long press: sent"
    }
    guard send(message) else {
      return ControlOutcome(isDone: false, "Not connected; nothing was sent.")
    }
    return ControlOutcome(isDone: true, words)
  }

  /// Gives the sink the canvas after a command.
  func publish(_ picture: CanvasPicture, after command: CanvasCommand, of agent: String?) {
    let document = JSONValue.body([
      ("agent", agent.map { .string($0) }), ("changed_ms", .integer(gatewayMs)),
      ("action", .string(command.action.rawValue)),
      ("transition", .string(command.transition.rawValue)),
      ("elements", .array(picture.elements.map(Self.json))),
      (
        "left_out",
        .body([
          ("unreadable", .integer(picture.losses.unreadable)),
          ("too_large", .integer(picture.losses.tooLarge)),
          ("too_many", .integer(picture.losses.tooMany)),
        ])
      ),
    ])
    Array(document.serialized().utf8).withUnsafeBytes {
      sink?.receive(.document(.canvas, $0), at: ReceiveTime(clock))
    }
  }

  private static func json(_ element: CanvasElement) -> JSONValue {
    let bounds = element.bounds
    let isText = !element.content.hasPrefix("data:")
    let content =
      isText && element.content.utf8.count > maximumText
      ? String(element.content.prefix(maximumText / 4)) : element.content
    return .body([
      ("id", .string(element.id)), ("type", .string(element.kind.rawValue)),
      (
        "bounds",
        .body([
          ("x", .finite(bounds.x)), ("y", .finite(bounds.y)), ("width", .finite(bounds.width)),
          ("height", .finite(bounds.height)),
        ])
      ),
      ("content", .string(content)),
      (
        "style",
        .body(element.style.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
      ),
      ("interactive", .bool(element.isInteractive)),
    ])
  }
}
