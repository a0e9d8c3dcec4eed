import CockpitStores
import TerminalCore
import TerminalUI

/// The context of a layer while it handles an event or draws.
@MainActor
package struct LayerContext {
  /// The view context, with the effective keys.
  package var facts: ViewContext
  /// The open tab.
  package var tab: Tab
  /// The whole screen.
  package var screen: Size
  /// Where the layer stands; nil while it handles an event.
  package var area: Rect?
  /// The verbs of the program.
  package var verbs: @Sendable () -> VerbTable

  package init(
    facts: ViewContext, tab: Tab, screen: Size, verbs: @escaping @Sendable () -> VerbTable
  ) {
    self.facts = facts
    self.tab = tab
    self.screen = screen
    self.verbs = verbs
  }
}

/// Something that a layer can react to.
package enum LayerEvent: Hashable, Sendable {
  case key(KeyPress)
  /// Pasted text: data, never keys.
  case paste(String)
  /// A click, with the marks of the last frame there, topmost first; each layer knows its own
  /// marks.
  case click([Frame.Target])
  /// The mouse was moved with its first button held, with the marks of the last frame there. Modal layers alone get it.
  case drag([Frame.Target])
  /// The wheel, with the marks of the last frame there; positive lines are down.
  case wheel(Int, [Frame.Target])
}

/// The result of an event in a layer.
package enum LayerOutcome: Hashable, Sendable {
  /// Passes the event to the layer below. For a modal layer the same as `.stay`.
  case passed
  case stay
  case close
  /// Do this and stay open.
  case effects([Effect])
  /// Close, then do this.
  case done([Effect])
}

/// A layer over the tabs: a menu, a question, the line after `:`, a drawer. `LayerStack` holds
/// them.
///
/// It is here and not in `TerminalUI`, because it receives `ViewContext` and returns `Effect`s;
/// only the geometry (`LayerPlacement`, `LayerLayout`) is independent of the bot.
package protocol Layer: Sendable {
  var placement: LayerPlacement { get }
  /// Whether it confirms an irreversible action.
  var isQuestion: Bool { get }
  /// Whether the row of the hints is shown for its keys, even where the user has switched hints off.
  var hasKeyLine: Bool { get }
  /// Whether it stays open when the program switches to another backend.
  var isKeptOnSwitch: Bool { get }

  @MainActor mutating func handle(_ event: LayerEvent, _ context: LayerContext) -> LayerOutcome

  /// Called after every event and before each frame: clamps cursors to the content.
  @MainActor mutating func clampSelection(_ context: LayerContext)

  /// The data to request from the backend.
  @MainActor func needs(_ context: LayerContext) -> [Need]

  /// Its keys, for the hint row; nil leaves the row to the layer below.
  @MainActor func keyLine(_ context: LayerContext) -> PlainText?

  /// Draws it into the area that its placement has.
  @MainActor func render(_ context: LayerContext, in area: Rect, into frame: inout Frame)
}

extension Layer {
  package var isQuestion: Bool { false }
  package var hasKeyLine: Bool { false }
  package var isKeptOnSwitch: Bool { false }
  @MainActor package mutating func clampSelection(_ context: LayerContext) {}
  @MainActor package func needs(_ context: LayerContext) -> [Need] { [] }
  @MainActor package func keyLine(_ context: LayerContext) -> PlainText? { nil }
}

/// A layer on its way to the stack, in an effect.
package struct NewLayer: Hashable, Sendable {
  package let layer: any Layer & Hashable

  package init(_ layer: any Layer & Hashable) { self.layer = layer }

  package static func == (left: NewLayer, right: NewLayer) -> Bool {
    AnyHashable(left.layer) == AnyHashable(right.layer)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(layer)) }
}
