package import LenientJSON

/// What an agent has drawn, as its source states it in the document `canvas`. Text in it is remote.
package struct CanvasBoard: Hashable, Sendable {
  /// Who drew last; nil where the source does not say.
  package var agent: String?
  /// When it last changed, on the source's clock, ms since 1970; nil where it is not known.
  package var changedMs: Int64?
  /// How it last changed, such as `fade`; a terminal shows the final state at once.
  package var transition: String
  /// In the order in which they are drawn: later ones cover earlier ones.
  package var elements: [CanvasElement]
  /// Elements that were left out, by the reason, such as `3 too large`.
  package var leftOut: [Loss]

  package struct Loss: Hashable, Sendable {
    package var count: Int
    package var reason: String

    package init(count: Int, reason: String) { (self.count, self.reason) = (count, reason) }
  }

  /// The most elements that are kept.
  package static let maximumElements = 500

  package init(elements: [CanvasElement] = [], agent: String? = nil, changedMs: Int64? = nil) {
    self.elements = elements
    self.agent = agent
    self.changedMs = changedMs
    transition = "instant"
    leftOut = []
  }

  /// Nil where it is no canvas at all; what cannot be read of it is left out and counted.
  package init?(_ value: JSONValue) {
    guard value.object != nil else { return nil }
    self.init(
      agent: value["agent"]?.string, changedMs: value["changed_ms"]?.int.map(Int64.init))
    transition = value["transition"]?.string ?? "instant"
    let sent = value["elements"]?.array ?? []
    var ids: Set<String> = []
    var (unreadable, repeated) = (0, 0)
    for value in sent.prefix(Self.maximumElements) {
      guard let element = CanvasElement(value) else {
        unreadable += 1
        continue
      }
      if ids.insert(element.id).inserted { elements.append(element) } else { repeated += 1 }
    }
    if let lines = value["a2ui"] { take(a2ui: lines, unreadable: &unreadable) }
    for (name, reason) in [
      ("unreadable", "not readable"), ("too_large", "too large"), ("too_many", "too many"),
    ] {
      var count = max(0, value["left_out"]?[name]?.int ?? 0)
      if name == "unreadable" { count += unreadable }
      if name == "too_many" { count += sent.count - min(sent.count, Self.maximumElements) }
      if count > 0 { leftOut.append(Loss(count: count, reason: reason)) }
    }
    if repeated > 0 { leftOut.append(Loss(count: repeated, reason: "with the id of another")) }
  }

  /// Adds what messages of A2UI describe: their lines, or a list of them.
  private mutating func take(a2ui value: JSONValue, unreadable: inout Int) {
    var surfaces = A2UISurfaces()
    if let lines = value.string { surfaces.take(lines: lines) }
    for message in value.array ?? [] { surfaces.take(message) }
    let (more, unknown) = surfaces.elements()
    elements += more.prefix(max(0, Self.maximumElements - elements.count))
    unreadable += surfaces.unreadable
    for (type, count) in unknown.sorted(by: { $0.key < $1.key }) {
      leftOut.append(Loss(count: count, reason: "of the unknown type " + type))
    }
  }

  package subscript(id: String) -> CanvasElement? { elements.first { $0.id == id } }

  /// Elements that act, in reading order: the first nine have the digits 1 to 9.
  package var interactive: [CanvasElement] {
    elements.filter(\.isInteractive).sorted {
      ($0.bounds.y, $0.bounds.x, $0.id) < ($1.bounds.y, $1.bounds.x, $1.id)
    }
  }
}

/// One thing on a canvas.
package struct CanvasElement: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case text, image, shape, video, highlight
    /// Of a type that is not drawn; its name stands in its place.
    case unknown(String)

    package init(_ name: String) {
      switch name {
      case "text": self = .text
      case "image": self = .image
      case "shape": self = .shape
      case "video": self = .video
      case "highlight": self = .highlight
      default: self = .unknown(name)
      }
    }

    package var name: String {
      switch self {
      case .text: "text"
      case .image: "image"
      case .shape: "shape"
      case .video: "video"
      case .highlight: "highlight"
      case .unknown(let name): name
      }
    }
  }

  /// In thousandths of the canvas, both axes from 0 to 1,000; it may reach beyond. All values are finite.
  package struct Bounds: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Farther coordinates are cut, so that a sum of them cannot overflow.
    package static let farthest = 100_000.0
  }

  package let id: String
  package var kind: Kind
  package var bounds: Bounds
  /// Text, or a `data:` URI.
  package let content: String
  /// Names and values as sent.
  package var style: [String: String]
  package var isInteractive: Bool
  /// What its picture is known by: equal pictures have equal keys. Nil where there is no `data:` URI.
  package let pictureKey: Int?

  /// The `data:` URI of its picture: the content, or the poster of a video.
  package var picture: String? { Self.picture(content, style) }

  private static func picture(_ content: String, _ style: [String: String]) -> String? {
    if CanvasDataURI.isOne(content) { return content }
    return style["poster"].flatMap { CanvasDataURI.isOne($0) ? $0 : nil }
  }

  package init(
    id: String, kind: Kind, bounds: Bounds, content: String, style: [String: String] = [:],
    isInteractive: Bool = false
  ) {
    self.id = id
    self.kind = kind
    self.bounds = bounds
    self.content = content
    self.style = style
    self.isInteractive = isInteractive
    pictureKey = Self.picture(content, style)?.hashValue
  }

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("id"),
      let kind = fields.string("type")
    else { return nil }
    let box = fields.value("bounds").flatMap(JSONFields.init)
    func length(_ name: String, _ missing: Double) -> Double {
      guard let number = box?.double(name), number.isFinite else { return missing }
      return min(Bounds.farthest, max(-Bounds.farthest, number))
    }
    var style: [String: String] = [:]
    for member in (fields.value("style")?.object?.members ?? []).prefix(32) {
      style[member.key] = member.value.string ?? member.value.serialized()
    }
    self.init(
      id: id, kind: Kind(kind),
      bounds: Bounds(
        x: length("x", 0), y: length("y", 0), width: max(0, length("width", 1_000)),
        height: max(0, length("height", 1_000))),
      content: fields.string("content") ?? "", style: style,
      isInteractive: fields.bool("interactive") ?? false)
  }
}
