import CockpitChat
import CockpitPanes
import CockpitText
import TerminalCore
import TerminalUI

/// The conversation with an agent beside the tab: at the right of wide screens, below on others, and all of a small
/// one. What is under way goes on while it is hidden.
package struct ChatDrawer: Layer {
  enum Focus: Hashable, Sendable {
    case input, transcript
    /// Keys go to the tab.
    case tab
  }

  /// Something in it that answers to the mouse.
  enum Target: Hashable, Sendable {
    case input
    case entry(ChatEntry.ID)
    case area
  }

  package internal(set) var placement: LayerPlacement
  var focus = Focus.input
  var input = TextArea()
  /// The channel that the input is of; nil before the first look.
  var channel: ChatChannel.ID?
  /// The place in the history of what was sent, the newest first; nil while another text is typed.
  var historyPlace: Int?
  /// What was typed before the history was opened.
  var beforeHistory = ""
  var scroll = ChatScroll()
  var unfolded: Set<ChatEntry.ID> = []
  /// The message that keys of the transcript are about; nil is the last answer.
  var selected: ChatEntry.ID?
  /// The search that is being typed.
  var search: TextField?
  var needle = ""
  /// How many code blocks were copied one after the other.
  var copiedBlocks = 0
  /// The images that go along with the next message, as the last frame shows them.
  var pictures = AttachedImages([], in: Rect(width: 0, height: 0))
  /// Whether the last spoken exchanges are shown.
  var showsExchanges = false
  /// The layout of the last frame.
  var layout = ChatDrawerLayout(area: Rect(width: 0, height: 0), inputLines: 1, extras: 0)

  /// Whether the source has nothing but conversations: then it has all of the screen.
  let isAlone: Bool

  package init(size: Size, isAlone: Bool = false) {
    self.isAlone = isAlone
    placement = isAlone ? Self.whole : Self.placement(in: size)
  }

  private static let whole = LayerPlacement.docked(.bottom, share: 100)

  package var isKeptOnSwitch: Bool { false }

  /// Where it stands on a screen of this size.
  static func placement(in size: Size) -> LayerPlacement {
    let sizes = LayoutClass(size)
    if sizes.width == .large, sizes.height > .short { return .docked(.right, share: 40) }
    guard sizes.width > .extraSmall, sizes.height > .short else {
      return whole
    }
    // At least 8 rows; the body has some 3 rows less than the screen.
    let body = max(1, size.height - 3)
    return .docked(.bottom, share: max(40, (8 * 100 + body - 1) / body))
  }

  /// Whether it leaves no place for the tab.
  var isWhole: Bool { placement == Self.whole }

  mutating func fit(_ size: Size) {
    placement = isAlone ? Self.whole : Self.placement(in: size)
    if isWhole, focus == .tab { focus = .transcript }
  }

  // MARK: Layer

  @MainActor package mutating func clampSelection(_ context: LayerContext) {
    guard let chat = context.facts.chat else { return }
    if channel != chat.channel.id {
      channel = chat.channel.id
      input = TextArea(chat.draft, isAtEnd: true)
      (historyPlace, selected, needle) = (nil, nil, "")
      scroll = ChatScroll()
    }
    guard let area = context.area else { return }
    let width = ChatDrawerLayout.inputWidth(area)
    pictures = AttachedImages(chat.attachments, in: area)
    layout = ChatDrawerLayout(
      area: area, inputLines: input.lines(width: width).count,
      extras: pictures.height + (search == nil ? 0 : 1) + (chat.diskProblem == nil ? 0 : 1)
        + (chat.queued.isEmpty ? 0 : 1) + voiceLines(chat.voice))
    scroll.show(content(context.facts, chat), height: layout.transcript.height)
  }

  @MainActor func content(_ facts: ViewContext, _ chat: ChatBoard) -> ChatScroll.Content {
    var content = ChatScroll.Content(
      chat.transcript, clock: facts.clock, width: layout.transcript.width, unfolded: unfolded,
      selected: focus == .transcript ? selectedEntry(chat)?.id : nil)
    content.previews = chat.previews
    return content
  }

  /// The message that keys of the transcript are about.
  func selectedEntry(_ chat: ChatBoard) -> ChatEntry? {
    let entries = chat.transcript.entries
    return selected.flatMap { id in entries.last { $0.id == id } }
      ?? entries.last { $0.author == .agent } ?? entries.last
  }

  @MainActor package func keyLine(_ context: LayerContext) -> PlainText? {
    guard context.facts.chat != nil else { return nil }
    if search != nil { return "Enter finds  Esc leaves" }
    switch focus {
    case .tab: return nil
    case .input:
      return
        "Enter sends" + Self.voiceKeys(context.facts.chat?.voice, inInput: true)
        + "  A-Enter new line  C-c aborts  Esc to the conversation  /help  /new /agent"
        + " /channel /attach /retry /copy /export"
    case .transcript:
      return "i write" + Self.voiceKeys(context.facts.chat?.voice, inInput: false)
        + "  j k scroll  { } message  Enter run  Space tools  y copy  c code  / search"
        + "  o channels  C-c aborts  " + (isWhole ? "q hide" : "q to the tab")
    }
  }

  @MainActor package mutating func handle(
    _ event: LayerEvent, _ context: LayerContext
  ) -> LayerOutcome {
    guard let chat = context.facts.chat else { return .close }
    switch event {
    case .key(let press): return self.press(press, chat, context)
    case .paste(let text): return paste(text, chat)
    case .click(let targets):
      guard let target = targets.lazy.compactMap({ $0.as(Target.self) }).first else {
        return .passed
      }
      switch target {
      case .input: focus = .input
      case .entry(let id):
        focus = .transcript
        selected = id
      case .area: focus = .transcript
      }
      return .stay
    case .drag: return .passed
    case .wheel(let lines, let targets):
      guard targets.contains(where: { $0.as(Target.self) != nil }) else { return .passed }
      scroll.move(by: lines, content(context.facts, chat), height: layout.transcript.height)
      return .stay
    }
  }

  private mutating func paste(_ text: String, _ chat: ChatBoard) -> LayerOutcome {
    if search != nil {
      search?.paste(text)
      return .stay
    }
    guard focus == .input else { return focus == .tab ? .passed : .stay }
    if let path = Self.imagePath(text) { return .effects([.chat(.attach(path: path))]) }
    historyPlace = nil
    input.paste(text)
    return .effects([.chat(.draft(input.text))])
  }

  /// The path of an image, where that is all that was pasted: terminals paste it when a file is dropped.
  private static func imagePath(_ text: String) -> String? {
    var path = text.drop(while: \.isWhitespace)
    while path.last?.isWhitespace ?? false { path.removeLast() }
    if path.first == "'", path.last == "'", path.count > 2 { path = path.dropFirst().dropLast() }
    guard path.hasPrefix("/") || path.hasPrefix("~/") || path.hasPrefix("file:///"),
      !path.contains("\n"), path.utf8.count < 4_000
    else { return nil }
    let name = path.lowercased()
    let endings = [".png", ".jpg", ".jpeg", ".gif", ".webp"]
    return endings.contains(where: name.hasSuffix) ? String(path) : nil
  }
}

/// The parts of the drawer.
struct ChatDrawerLayout: Hashable, Sendable {
  let area: Rect
  let transcript: Rect
  /// Attachments, a search, a problem of the disk.
  let extras: Rect
  let input: Rect

  /// Columns of the input's text.
  static func inputWidth(_ area: Rect) -> Int { max(4, area.width - 6) }

  init(area: Rect, inputLines: Int, extras count: Int) {
    self.area = area
    var inner = area.inset(by: 1)
    inner.x += 1
    inner.width = max(0, inner.width - 2)
    let limit = max(1, inner.height / 3)
    input = inner.takeBottom(min(inner.height, min(limit, max(1, inputLines))))
    _ = inner.takeBottom(min(1, inner.height))
    extras = inner.takeBottom(min(count, max(0, inner.height - 1)))
    _ = inner.takeTop(inner.height > 4 ? 1 : 0)
    transcript = inner
  }
}
