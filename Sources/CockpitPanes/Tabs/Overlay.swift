import CockpitStores
import TerminalCore
import TerminalUI

/// A modal layer that needs only the view context: a menu, a picker, a form.
package protocol Overlay: Layer {
  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome
  /// Pasted text: data, never keys.
  @MainActor mutating func paste(_ text: String, on facts: ViewContext)
  /// A click into something that the last frame marked with `Frame.Target.overlay`.
  @MainActor mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome
  /// The mouse was dragged to something that the last frame marked with `Frame.Target.overlay`.
  @MainActor mutating func drag(_ item: Int, on facts: ViewContext)
  @MainActor mutating func wheel(_ lines: Int, on facts: ViewContext)
  /// Called after every event and before each frame: clamps cursors to the content.
  @MainActor mutating func clampSelection(_ facts: ViewContext, screen: Size)
  /// The data to request from the backend.
  @MainActor func needs(_ facts: ViewContext) -> [Need]
  /// Draws it; `body` is the part of the screen between header and hints.
  @MainActor func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame)
  /// Its keys, for the hint row.
  var keyLine: PlainText { get }
  /// Its title, for help and for tests.
  var title: PlainText { get }
}

extension Overlay {
  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) {}
  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    .stay
  }
  @MainActor package mutating func drag(_ item: Int, on facts: ViewContext) {}
  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {}
  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {}
  @MainActor package func needs(_ facts: ViewContext) -> [Need] { [] }

  // MARK: Layer

  package var placement: LayerPlacement { .modal }
  package var hasKeyLine: Bool { true }
  package var isKeptOnSwitch: Bool { true }

  @MainActor package mutating func handle(
    _ event: LayerEvent, _ context: LayerContext
  ) -> LayerOutcome {
    switch event {
    case .key(let press): return self.press(press, on: context.facts)
    case .paste(let text): paste(text, on: context.facts)
    case .click(let targets):
      guard let item = targets.first?.as(OverlayItem.self) else { return .stay }
      return click(item.number, on: context.facts)
    case .drag(let targets):
      if let item = targets.first?.as(OverlayItem.self) { drag(item.number, on: context.facts) }
    case .wheel(let lines, _): wheel(lines, on: context.facts)
    }
    return .stay
  }

  @MainActor package mutating func clampSelection(_ context: LayerContext) {
    clampSelection(context.facts, screen: context.screen)
  }

  @MainActor package func needs(_ context: LayerContext) -> [Need] { needs(context.facts) }

  @MainActor package func keyLine(_ context: LayerContext) -> PlainText? { keyLine }

  @MainActor package func render(
    _ context: LayerContext, in area: Rect, into frame: inout Frame
  ) {
    render(context.facts, in: area, into: &frame)
  }
}

/// An item of an overlay, counted from the first.
struct OverlayItem: Hashable, Sendable { var number: Int }
