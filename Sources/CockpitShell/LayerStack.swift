import CockpitPanes
import CockpitStores
import TerminalCore
import TerminalUI

/// The layers over the open tab. The topmost has each event first; drawing begins with the lowest.
package struct LayerStack: Sendable {
  /// The lowest first.
  private var layers: [any Layer] = []

  package init() {}

  package var isEmpty: Bool { layers.isEmpty }

  package var placements: [LayerPlacement] { layers.map(\.placement) }

  /// Whether a layer confirms an irreversible action.
  var isQuestion: Bool { layers.contains { $0.isQuestion } }

  var isModal: Bool { layers.contains { $0.placement == .modal } }

  /// Whether keys do not reach the tab.
  var hasKeys: Bool { layers.contains { $0.placement == .modal || $0.placement == .line } }

  /// Whether the last row is the place of a layer.
  var hasLine: Bool { layers.contains { $0.placement == .line } }

  var hasKeyLine: Bool { layers.contains { $0.hasKeyLine } }

  // MARK: Opening and closing

  package mutating func push(_ layer: any Layer) { layers.append(layer) }

  /// Puts a layer below all others.
  mutating func insertLowest(_ layer: any Layer) { layers.insert(layer, at: 0) }

  package var topmost: (any Layer)? { layers.last }

  /// The topmost layer of a type.
  package func first<L: Layer>(_ type: L.Type) -> L? {
    layers.lazy.reversed().compactMap { $0 as? L }.first
  }

  /// Changes the topmost layer of a type; nil if there is none.
  @discardableResult
  mutating func change<L: Layer, Result>(
    _ type: L.Type, _ body: (inout L) -> Result
  ) -> Result? {
    guard let index = layers.lastIndex(where: { $0 is L }), var layer = layers[index] as? L else {
      return nil
    }
    defer { layers[index] = layer }
    return body(&layer)
  }

  /// Closes all layers of a type.
  mutating func remove<L: Layer>(_ type: L.Type) { layers.removeAll { $0 is L } }

  /// Closes the layers that belong to the previous backend.
  mutating func backendChanged() { layers.removeAll { !$0.isKeptOnSwitch } }

  // MARK: Events

  /// Passes an event to the layers, topmost first.
  ///
  /// - Returns: the effects; nil if no layer handled the event.
  @MainActor mutating func handle(_ event: LayerEvent, _ context: LayerContext) -> [Effect]? {
    for index in layers.indices.reversed() {
      switch layers[index].handle(event, context) {
      case .passed where layers[index].placement != .modal: continue
      case .passed, .stay: return []
      case .effects(let effects): return effects
      case .close:
        layers.remove(at: index)
        return []
      case .done(let effects):
        layers.remove(at: index)
        return effects
      }
    }
    return nil
  }

  /// - Parameter layout: where they stand.
  @MainActor mutating func clampSelection(_ context: LayerContext, _ layout: LayerLayout) {
    var context = context
    for (index, area) in zip(layers.indices, layout.areas) {
      context.area = area
      layers[index].clampSelection(context)
    }
  }

  @MainActor func needs(_ context: LayerContext) -> [Need] {
    layers.flatMap { $0.needs(context) }
  }

  // MARK: Drawing

  /// The keys of the topmost layer that has some to name.
  @MainActor func keyLine(_ context: LayerContext) -> PlainText? {
    layers.lazy.reversed().compactMap { $0.keyLine(context) }.first
  }

  @MainActor func render(_ context: LayerContext, _ layout: LayerLayout, into frame: inout Frame) {
    for (layer, area) in zip(layers, layout.areas) {
      if area == layout.body { frame.cover() }
      layer.render(context, in: area, into: &frame)
    }
    if hasKeys || layout.areas.contains(layout.body) { frame.forgetParts() }
  }
}
