package import LenientJSON

/// A change of an agent's canvas. Text in it is remote.
package struct CanvasCommand: Sendable, Equatable {
  package enum Action: String, Sendable, Equatable { case clear, draw, update, animate }
  package enum Transition: String, Sendable, Equatable { case instant, fade, slide }

  package var action: Action
  package var elements: [CanvasElement]
  /// A terminal shows the final state at once; the name is kept for who reads the raw document.
  package var transition: Transition
  /// Elements that were left out.
  package var losses = CanvasLosses()
  package var skipped: Int { losses.count }

  package static let maximumElements = 500
  /// Bytes of one element's content.
  package static let maximumContent = 2 << 20

  package init?(_ payload: JSONValue) {
    guard let fields = JSONFields(payload),
      let action = fields.string("action").flatMap(Action.init)
    else { return nil }
    self.action = action
    transition = fields.string("transition").flatMap(Transition.init) ?? .instant
    let sent = fields.value("elements")?.array ?? []
    elements = []
    losses.tooMany = max(0, sent.count - Self.maximumElements)
    for value in sent.prefix(Self.maximumElements) {
      if (value["content"]?.string?.utf8.count ?? 0) > Self.maximumContent {
        losses.tooLarge += 1
      } else if let element = CanvasElement(value) {
        elements.append(element)
      } else {
        losses.unreadable += 1
      }
    }
  }
}

/// One thing on a canvas.
package struct CanvasElement: Sendable, Equatable {
  package enum Kind: String, Sendable, Equatable { case text, image, shape, video, highlight }

  /// In thousandths of the canvas, both axes from 0 to 1,000; it may reach beyond.
  package struct Bounds: Sendable, Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  package var id: String
  package var kind: Kind
  package var bounds: Bounds
  /// Text, or a `data:` URI.
  package var content: String
  /// Names and values as sent.
  package var style: [String: String]
  package var isInteractive: Bool

  /// Farther coordinates are cut: a sum of them must not overflow.
  private static let farthest = 100_000.0

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("id"),
      let kind = fields.string("type").flatMap(Kind.init)
    else { return nil }
    let content = fields.string("content") ?? ""
    guard content.utf8.count <= CanvasCommand.maximumContent else { return nil }
    self.id = id
    self.kind = kind
    self.content = content
    let box = fields.value("bounds").flatMap(JSONFields.init)
    func length(_ name: String, _ missing: Double) -> Double {
      guard let number = box?.double(name), number.isFinite else { return missing }
      return min(Self.farthest, max(-Self.farthest, number))
    }
    bounds = Bounds(
      x: length("x", 0), y: length("y", 0), width: max(0, length("width", 1_000)),
      height: max(0, length("height", 1_000)))
    var style: [String: String] = [:]
    for member in (fields.value("style")?.object?.members ?? []).prefix(32) {
      style[member.key] = member.value.string ?? member.value.serialized()
    }
    self.style = style
    isInteractive = fields.bool("interactive") ?? false
  }
}
