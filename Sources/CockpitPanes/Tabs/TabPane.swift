import CockpitAnswers
import TerminalUI
import CockpitStores
import TerminalCore

/// One tab of the cockpit: its selection, its handling of keys and clicks, and its drawing. It does
/// no I/O and keeps no clock; actions are returned as effects.
package protocol TabPane: Sendable {
  /// Something in this tab that answers to the mouse.
  associatedtype Target: Hashable & Sendable
  /// A part that can have the keys.
  associatedtype Panel: Hashable & Sendable

  /// Which of them has the keys.
  var panelFocus: PanelFocus<Panel> { get set }

  /// Performs a command; nil if it does not belong to this tab, so that the shell handles it.
  ///
  /// - Parameters:
  ///   - body: the tab's rectangle.
  ///   - screen: the whole screen, which selects the layout.
  @MainActor mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]?

  /// A click on something that the last frame marked with `Frame.mark`.
  @MainActor mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]

  /// The wheel over something that the last frame marked; positive is down.
  @MainActor mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size)

  /// Whether keys go into a text field of this tab and not to commands.
  var isTyping: Bool { get }

  /// A key press while `isTyping`.
  @MainActor mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]

  /// Pasted text: data, never keys.
  @MainActor mutating func paste(_ text: String, on facts: ViewContext) -> [Effect]

  /// The data to request from the backend.
  @MainActor func needs(_ facts: ViewContext) -> [Need]

  /// Called after every event and before a frame: clamps cursors and scroll positions to the
  /// content.
  @MainActor mutating func clampSelection(_ facts: ViewContext, body: Rect, screen: Size)

  /// Called before a frame, and by `clampSelection` after every event: computes what takes too long
  /// while drawing, which caches nothing.
  @MainActor mutating func prepare(_ facts: ViewContext, body: Rect, screen: Size)

  /// The keys of the active input, for the hint row; nil if there is none.
  func typingHint(_ keys: KeyTable) -> PlainText?

  /// One line about the last command, such as a search without a hit.
  var message: PlainText? { get }

  /// Whether `q` closes something before it quits.
  var isDeep: Bool { get }

  /// The commands to hint at the foot of the screen, most useful first.
  var hints: [KeyAction] { get }

  /// Those of them that mean something while these facts are shown.
  @MainActor func hints(on facts: ViewContext) -> [KeyAction]

  /// The routes without one of which a command does nothing here.
  func routes(of command: KeyAction) -> [BackendRoute]

  /// Abbreviations on this tab and their meanings, for help.
  var glossary: [GlossaryEntry] { get }

  /// What can be copied of the selection; empty if nothing is selected.
  @MainActor func copyItems(_ facts: ViewContext) -> [CopyItem]

  /// The names under the cursor that `K` explains, the most telling first.
  @MainActor func explained(_ facts: ViewContext, body: Rect, screen: Size) -> [ExplainedName]

  /// The answer or silence under the cursor, for `W`; nil if the selection belongs to none.
  @MainActor func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key?

  /// What the user has put the cursor on, as far as answers belong to it; nil while the tab follows the newest.
  /// Another value means another choice.
  var chosen: AnyHashable? { get }

  /// Whether the cursor is on an item of the selected answer, so that moving it selects no other answer.
  func isIn(_ answer: SelectedAnswer) -> Bool

  /// Puts the cursor on the selected answer, `ViewContext.selected`, where this tab shows something of it.
  @MainActor mutating func stand(
    on answer: SelectedAnswer, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]

  /// Follows the newest again, after an answer was let go.
  mutating func letGo()

  /// Why `W` has no answer for the selection; nil if it is of no kind that could have one.
  @MainActor func noExchange(_ facts: ViewContext, body: Rect, screen: Size) -> PlainText?

  /// Whether the selection may belong to an answer or a silence, for the hints. Cheap, not certain.
  @MainActor func mayHaveExchange(_ facts: ViewContext) -> Bool

  /// The focused panel's data as lines, uncut and without borders, for the plain screen; nil to use
  /// the rendering.
  @MainActor func plainText(_ facts: ViewContext) -> String?

  /// Draws the tab into `body` and marks mouse targets.
  @MainActor func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame)
}

/// A short word of the screen; its meaning has some 50 columns.
package struct GlossaryEntry: Hashable, Sendable {
  package var word: PlainText
  package var meaning: PlainText

  package init(_ word: PlainText, _ meaning: PlainText) {
    self.word = word
    self.meaning = meaning
  }
}

extension TabPane {
  package func routes(of command: KeyAction) -> [BackendRoute] { command.routes }

  /// The panel that has the keys.
  package var focus: Panel {
    get { panelFocus.panel }
    set { panelFocus.panel = newValue }
  }

  /// Whether one panel fills the tab.
  package var isZoomed: Bool {
    get { panelFocus.isZoomed }
    set { panelFocus.isZoomed = newValue }
  }

  /// A click on a part of the frame that some pane has marked.
  @MainActor package mutating func press(
    marked target: Frame.Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    guard let target = target.as(Target.self) else { return [] }
    return press(target, on: facts, body: body, screen: screen)
  }

  /// The wheel over a part of the frame that some pane has marked; positive is down.
  @MainActor package mutating func wheel(
    _ lines: Int, overMarked target: Frame.Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    guard let target = target.as(Target.self) else { return }
    wheel(lines, over: target, on: facts, body: body, screen: screen)
  }

  @MainActor package mutating func prepare(_ facts: ViewContext, body: Rect, screen: Size) {}

  package func typingHint(_ keys: KeyTable) -> PlainText? { nil }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) -> [Effect] { [] }

  package var glossary: [GlossaryEntry] { [] }

  package var isDeep: Bool { false }

  package func isIn(_ answer: SelectedAnswer) -> Bool { false }

  @MainActor package func needs(_ facts: ViewContext) -> [Need] { [] }

  @MainActor package func hints(on facts: ViewContext) -> [KeyAction] { hints }

  @MainActor package func copyItems(_ facts: ViewContext) -> [CopyItem] { [] }

  @MainActor package func noExchange(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> PlainText? { nil }

  @MainActor package func mayHaveExchange(_ facts: ViewContext) -> Bool { false }

  @MainActor package func plainText(_ facts: ViewContext) -> String? { nil }
}
