internal import LenientJSON

extension A2UISurfaces {
  /// What the surfaces show, as elements of a canvas, those that began first on top, with the number of components of
  /// each type that is not drawn.
  ///
  /// A row divides its width among its children, a column its height; everything has room for its text where it can.
  package func elements() -> (elements: [CanvasElement], unknown: [String: Int]) {
    let shown = surfaces.filter { $0.value.root != nil }.sorted { $0.value.order < $1.value.order }
    var layout = A2UILayout()
    let height = 1_000 / Double(max(1, shown.count))
    for (place, (name, surface)) in shown.enumerated() {
      layout.add(
        surface, name: name,
        in: .init(x: 0, y: Double(place) * height, width: 1_000, height: height))
    }
    return (layout.elements, layout.unknown)
  }
}

/// Components in a tree, as elements with bounds.
private struct A2UILayout {
  private(set) var elements: [CanvasElement] = []
  private(set) var unknown: [String: Int] = [:]

  /// Where a component stands: its surface, the data that relative paths begin at, and how deep it is.
  private struct Place {
    var surface: A2UISurfaces.Surface
    var name: String
    var scope: [String] = []
    var depth = 0
    /// The ids on the way, against components that contain themselves.
    var above: Set<String> = []
  }

  private static let maximumDepth = 24
  /// Components that are looked at: a component may be the child of many.
  private var budget = 5_000

  mutating func add(
    _ surface: A2UISurfaces.Surface, name: String, in box: CanvasElement.Bounds
  ) {
    guard let root = surface.root else { return }
    add(root, Place(surface: surface, name: name), in: box, isTapped: false)
  }

  private mutating func add(
    _ id: String, _ place: Place, in box: CanvasElement.Bounds, isTapped: Bool
  ) {
    guard elements.count < CanvasBoard.maximumElements, place.depth < Self.maximumDepth,
      budget > 0, !place.above.contains(id), let component = place.surface.components[id]
    else { return }
    budget -= 1
    var inner = place
    inner.depth += 1
    inner.above.insert(id)
    let key = ([place.name] + place.scope + [id]).joined(separator: "/")
    let content = component.text.map { text($0, place) } ?? ""
    switch component.type {
    case "Text":
      let isTitle = component.hint.hasPrefix("h")
      append(
        key, .text, box, content, isTitle ? ["weight": "bold"] : [:], isInteractive: isTapped)
    case "Image", "Icon":
      let source = component.url.map { text($0, place) } ?? content
      append(
        key, component.type == "Image" ? .image : .text, box, source, [:], isInteractive: isTapped)
    case "Divider":
      append(
        key, .shape,
        component.direction == "vertical"
          ? .init(x: box.x + box.width / 2, y: box.y, width: 0, height: box.height)
          : .init(x: box.x, y: box.y + box.height / 2, width: box.width, height: 0),
        "line", ["color": "gray"])
    case "Button":
      append(
        key, .text, box, label(component, inner), ["border": "true", "align": "center"],
        isInteractive: true)
    case "Card":
      append(key, .shape, box, "rect", ["color": "gray"])
      let edge = 20.0
      children(
        component, inner,
        in: .init(
          x: box.x + edge, y: box.y + edge * 2, width: max(1, box.width - 2 * edge),
          height: max(1, box.height - 4 * edge)), isRow: false)
    case "Row": children(component, inner, in: box, isRow: true)
    case "Column": children(component, inner, in: box, isRow: false)
    case "List":
      children(component, inner, in: box, isRow: component.direction == "horizontal")
    default:
      unknown[component.type, default: 0] += 1
      append(key, .unknown(component.type), box, content, [:])
    }
  }

  private mutating func append(
    _ id: String, _ kind: CanvasElement.Kind, _ box: CanvasElement.Bounds, _ content: String,
    _ style: [String: String], isInteractive: Bool = false
  ) {
    elements.append(
      CanvasElement(
        id: id, kind: kind, bounds: box, content: content, style: style,
        isInteractive: isInteractive))
  }

  private mutating func children(
    _ component: A2UIComponent, _ place: Place, in box: CanvasElement.Bounds, isRow: Bool
  ) {
    let entries = entries(component, place)
    guard !entries.isEmpty else { return }
    var weights: [Double] = []
    for entry in entries { weights.append(isRow ? 1 : height(entry.id, entry.place)) }
    let total = max(weights.reduce(0, +), 0.001)
    var start = isRow ? box.x : box.y
    for (entry, weight) in zip(entries, weights) {
      let share = weight / total * (isRow ? box.width : box.height)
      let part =
        isRow
        ? CanvasElement.Bounds(
          x: start, y: box.y, width: max(1, share - 10), height: box.height)
        : CanvasElement.Bounds(x: box.x, y: start, width: box.width, height: share)
      add(entry.id, entry.place, in: part, isTapped: false)
      start += share
    }
  }

  private func entries(
    _ component: A2UIComponent, _ place: Place
  ) -> [(id: String, place: Place)] {
    switch component.children {
    case .ids(let ids): return ids.map { ($0, place) }
    case .template(let id, let path):
      let steps = self.steps(path, place)
      guard let list = A2UIData.value(place.surface.data, steps) else { return [] }
      let keys =
        list.object?.members.map(\.key) ?? (list.array ?? []).indices.map { String($0) }
      return keys.prefix(200).map { key in
        var inner = place
        inner.scope = steps + [key]
        return (id, inner)
      }
    }
  }

  /// How much of a column a component takes beside the others.
  private mutating func height(_ id: String, _ place: Place) -> Double {
    guard place.depth < 6, budget > 0, let component = place.surface.components[id],
      !place.above.contains(id)
    else { return 1 }
    budget -= 1
    var inner = place
    inner.depth += 1
    inner.above.insert(id)
    switch component.type {
    case "Divider": return 0.7
    case "Button": return 2.5
    case "Image": return 5
    case "Column", "List", "Card":
      var sum = 0.0
      for entry in entries(component, inner).prefix(20) { sum += height(entry.id, entry.place) }
      return max(1, sum) + (component.type == "Card" ? 2 : 0)
    case "Row":
      var most = 1.0
      for entry in entries(component, inner).prefix(20) {
        most = max(most, height(entry.id, entry.place))
      }
      return most
    default: return 1
    }
  }

  private func label(_ component: A2UIComponent, _ place: Place) -> String {
    if let own = component.text { return text(own, place) }
    for entry in entries(component, place) {
      if let child = place.surface.components[entry.id]?.text { return text(child, entry.place) }
    }
    return "button"
  }

  private func text(_ value: A2UIComponent.Value, _ place: Place) -> String {
    switch value {
    case .literal(let text): return text
    case .path(let path):
      let value = A2UIData.value(place.surface.data, steps(path, place))
      return value?.string ?? value.map { $0.isNull ? "" : $0.serialized() } ?? ""
    }
  }

  /// Paths that do not begin with `/` begin at the entry of the template.
  private func steps(_ path: String, _ place: Place) -> [String] {
    (path.hasPrefix("/") ? [] : place.scope) + A2UIData.steps(path)
  }
}
