import CockpitPanes
import TerminalUI
import CockpitAnswers
import CockpitText
import CockpitDomain
import Networking
import CockpitStores
import TerminalCore

/// Row 1 of every screen: identity, tabs, our connection and its data age, the bot's own health, cost
/// today, clock.
struct Header: FramePart {
  private let tab: Tab
  private let layout: LayoutClass.Width
  private let profile: String
  private let kind: SourceKind
  /// Whether an agent may use something of this machine now.
  private let hasControl: Bool
  private let state: PlainText
  private let role: Role
  private let isLive: Bool
  /// Whether all of the screen is of the past.
  private let isPast: Bool
  private let bot: BotWord
  /// What waits at a gateway, in place of the bot's health; nil for a Clanky bot.
  private let waiting: Waiting?
  /// Whether it is of all sources: cost and latency are of one.
  private let isOfAll: Bool
  /// Whether it is of a server that can only be talked to: it has neither health nor cost, and nothing waits there.
  private let isChatServer: Bool
  /// The same beside the health of a bot, where other sources are gateways.
  private let othersWait: Waiting?
  /// How strongly a gateway asks for the owner; nil for a Clanky bot.
  private let attention: AttentionState?
  /// The request latency, in ms.
  private let latencyMs: Double?
  private let costToday: Double?
  /// Whether the cost is from a lost connection.
  private let isCostOld: Bool
  private let time: PlainText
  /// The selected answer, such as `answer 02:14 to Mira`.
  private let answer: PlainText?
  /// What is wrong with recording.
  private let recording: PlainText?
  /// The guild that the screen is about; nil for all.
  private let scope: PlainText?
  /// The source that the tabs show, and how many are live; nil where there is one source.
  private let source: SourceName?

  @MainActor init(
    tab: Tab, _ facts: ViewContext, layout: LayoutClass.Width, answer: PlainText? = nil,
    isOfAll: Bool = false
  ) {
    self.tab = tab
    self.answer = answer
    self.layout = layout
    scope = facts.scopeName
    recording = facts.recordingNote
    time = facts.clock.time(ms: facts.nowMs)
    profile = facts.profile
    kind = facts.kind
    hasControl = facts.replay == nil && facts.control?.hasControl ?? false
    // Of all sources the words are those of the one that is worst off.
    let worst = isOfAll ? facts.sources?.worst ?? facts : facts
    let words = ConnectionWords(status: worst.status, monotonicNs: worst.monotonicNs)
    if let replay = facts.replay {
      let speed = replay.speed > 1 ? PlainText(" \(replay.speed)x") : ""
      let time = facts.clock.time(ms: replay.atMs)
      state =
        (replay.isPlaying ? "PLAY" : "PAUSED") + speed + " " + time + " " + replay.distance
      (role, isLive) = (.warning, false)
    } else {
      (state, role, isLive) = (words.short, words.role, words.isLive)
    }
    isPast = facts.replay != nil
    bot = BotWord(
      TriageText(isOfAll ? facts.sources?.worstBot?.facts.triage ?? facts.triage : facts.triage))
    let isOfGateway = isOfAll ? facts.sources?.worstBot == nil : facts.isGateway
    isChatServer = isOfAll ? facts.sources?.hasGateway != true && isOfGateway : facts.isChatServer
    waiting = isOfGateway && !isChatServer ? Waiting(facts) : nil
    source = facts.sources.map { SourceName($0, isOfAll: isOfAll, isPast: facts.replay != nil) }
    othersWait =
      isOfGateway || facts.sources?.hasGateway != true ? nil : Waiting(facts)
    attention = facts.attention
    self.isOfAll = isOfAll
    latencyMs = isOfAll ? nil : facts.status.restLatencyMs
    costToday = facts.costToday
    isCostOld = facts.dataEndMs(.activity) != nil
  }

  /// Draws into the first row.
  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let width = area.width
    frame.canvas.fill(area, background: .header)
    let fit = fit(in: width)
    let right = fit.right
    let rightWidth = Self.columns(right)
    var x = 1
    if fit.hasName {
      frame.canvas.write("CLANKY", x: x, role: .title, attributes: .bold, background: .header)
      x += 7
    }
    if layout == .extraSmall {
      let text = Self.names[tab.rawValue].open
      frame.canvas.write(
        text.cut(to: max(0, width - rightWidth - x)), x: x, role: .focus, attributes: .bold,
        background: .header)
      frame.mark(Rect(x: x, y: 0, width: text.columns, height: 1), .tab(tab.stepped(by: 1)))
    } else {
      for (each, names) in zip(Tab.allCases, Self.names) {
        let isOpen = each == tab
        let text = isOpen ? names.open : fit.isTight ? names.number : names.closed
        guard x + text.columns < width - rightWidth + 2 else { break }
        frame.canvas.write(
          text, x: x, role: isOpen ? .focus : .muted, attributes: isOpen ? .bold : [],
          background: .header)
        frame.mark(Rect(x: x, y: 0, width: text.columns, height: 1), .tab(each))
        x += text.columns
      }
    }
    var column = width
    for part in right.reversed() {
      column -= part.columns + 1
      guard column > x || part.isVital else { break }
      frame.canvas.write(
        part.text, x: column + part.badgeColumns, role: part.role,
        attributes: part.isReversed ? [.reverse, .bold] : [],
        background: .header)
      if part.hasDot {
        frame.canvas.symbol(part.dot, x: column, y: 0, role: part.role, background: .header)
      }
      part.badge?.draw(x: column, in: &frame.canvas)
      column -= 1
    }
    if let attention, attention.hasStrip {
      frame.canvas.recolor(
        area, role: AttentionBadge(level: attention.level).role, attributes: .reverse)
    }
  }

  /// The parts of the header that fit.
  private struct Fit {
    var right: [Part]
    /// Whether the program has its name there.
    var hasName: Bool
    /// Whether the open tab alone has its name, and the others their numbers.
    var isTight = false
  }

  /// Selects the parts that fit, by priority: both healths in words, the selected answer, every tab by name,
  /// the program's name; then profile, latency and cost.
  private func fit(in width: Int) -> Fit {
    if layout == .extraSmall {
      let name = Self.names[tab.rawValue].open.columns
      let right =
        BotWord.Form.allCases.lazy.map { rightSide(bot: $0) }
        .first { name + 1 <= width - Self.columns($0) + 1 } ?? rightSide(bot: .none)
      return Fit(right: right, hasName: width - Self.columns(right) > 18)
    }
    func fits(_ fit: Fit) -> Bool {
      let names = zip(Tab.allCases, Self.names).reduce(0) {
        $0 + ($1.0 == tab ? $1.1.open : fit.isTight ? $1.1.number : $1.1.closed).columns
      }
      return names + (fit.hasName ? 8 : 1) < width - Self.columns(fit.right) + 1
    }
    var whole = Fit(right: rightSide(bot: .marked), hasName: true)
    if let answer, !fits(whole), let part = whole.right.firstIndex(where: \.isAnswer) {
      whole.right[part] = Part(answer: answer.cut(to: Self.shortAnswer))
    }
    while !fits(whole),
      let part = whole.right.firstIndex(where: { $0.isOptional && !$0.isAnswer })
        ?? whole.right.firstIndex(where: \.isOptional)
    {
      whole.right.remove(at: part)
    }
    if fits(whole), answer == nil || whole.right.contains(where: \.isAnswer) { return whole }
    if let answer {
      // Names of the other tabs come back when the answer is let go.
      for form in [BotWord.Form.marked, .short] {
        var fit = Fit(
          right: rightSide(bot: form).filter { !$0.isOptional }, hasName: false, isTight: true)
        fit.right.insert(Part(answer: answer), at: 0)
        while !fits(fit), let part = fit.right.first, part.columns > Self.leastAnswer {
          fit.right[0] = Part(answer: answer.cut(to: part.columns - 1))
        }
        if fits(fit) { return fit }
      }
    }
    if fits(whole) { return whole }
    for isTight in [false, true] {
      for form in isTight ? BotWord.Form.allCases : [.marked, .plain] {
        for hasName in [true, false] {
          let right = rightSide(bot: form).filter { !$0.isOptional }
          let fit = Fit(right: right, hasName: hasName, isTight: isTight)
          if fits(fit) { return fit }
        }
      }
    }
    return Fit(
      right: rightSide(bot: .none).filter { !$0.isOptional }, hasName: false, isTight: true)
  }

  private static func columns(_ parts: [Part]) -> Int { parts.reduce(0) { $0 + $1.columns + 2 } }

  /// The spellings of each tab: open, not open, and without room for a name.
  private static let names = Tab.allCases.map { tab in
    let number = PlainText("\(tab.rawValue + 1)")
    let name = number + " " + tab.title
    return (open: "[" + name + "]", closed: " " + name + " ", number: " " + number + " ")
  }

  private struct Part {
    let text: PlainText
    let role: Role
    /// Room for it.
    private(set) var columns: Int
    let isVital: Bool
    /// Left out before a tab is; the first of them first.
    let isOptional: Bool
    /// Whether it names the selected answer.
    var isAnswer = false
    let hasDot: Bool
    let dot: Symbol
    let isReversed: Bool
    /// A badge before the text.
    private(set) var badge: AttentionBadge?
    /// Room for it; reversed text begins with a space of its own.
    var badgeColumns: Int { badge.map { $0.columns + (isReversed ? 0 : 1) } ?? 0 }

    init(
      _ text: PlainText, _ role: Role, isVital: Bool = false,
      isOptional: Bool = false, hasDot: Bool = false, dot: Symbol = .dot, isReversed: Bool = false
    ) {
      self.isReversed = isReversed
      self.text = text
      self.role = role
      columns = text.columns
      self.isVital = isVital
      self.isOptional = isOptional
      self.hasDot = hasDot
      self.dot = dot
    }

    /// The same with a badge before it.
    func with(_ badge: AttentionBadge) -> Part {
      var part = self
      part.badge = badge
      part.columns += part.badgeColumns
      return part
    }

    /// The name of the selected answer.
    init(answer: PlainText) {
      self.init(answer, .focus, isOptional: true)
      isAnswer = true
    }
  }

  /// Columns of a name where room is short.
  private static let shortAnswer = 24
  /// `silence 02:14`: the least columns of a name.
  private static let leastAnswer = 13

  /// The bot's own health. A mark and words, so that it needs no colour.
  private struct BotWord: Hashable {
    /// With a mark, without one, in short, not at all.
    enum Form: CaseIterable { case marked, plain, short, none }

    private let word: PlainText
    private let short: PlainText
    private let role: Role
    /// The mark: a full dot for a bot that is well, a ring when unknown; nil for `!`.
    private let dot: Symbol?

    init(_ words: TriageText) {
      (word, short, role) = (words.word, words.shortWord, words.role)
      dot =
        role == .muted ? .ring : words.report.ofBot.isEmpty ? .dot : nil
    }

    func part(_ form: Form) -> Part? {
      switch form {
      case .marked:
        guard let dot else { return Part("! " + word, role, isVital: true) }
        return Part("  " + word, role, isVital: true, hasDot: true, dot: dot)
      case .plain: return Part(word, role, isVital: true)
      case .short: return Part(short, role, isVital: true)
      case .none: return nil
      }
    }
  }

  /// The source that the tabs show, and how many of all are live.
  private struct SourceName: Hashable {
    let name: PlainText
    let tag: SourceTag
    /// nil in the past, where no connection is live.
    let live: PlainText?
    let areAllLive: Bool

    @MainActor init(_ sources: SourceList, isOfAll: Bool, isPast: Bool) {
      name = isOfAll ? "all" : PlainText(sources.current.name, limit: 60)
      tag = sources.current.tag
      live = isPast ? nil : sources.liveCount
      areAllLive = sources.areAllLive
    }

    func parts(isShort: Bool) -> [Part] {
      let name = Part(name.cut(to: isShort ? 10 : 24), tag.role, isVital: true)
      guard let live else { return [name] }
      let count = isShort ? live : live + " live"
      return [name, Part(count, areAllLive ? .muted : .warning, isVital: true)]
    }
  }

  /// How much waits at a gateway.
  private struct Waiting: Hashable {
    let count: Int
    /// Whether all that waits is known, and known now.
    let isKnown: Bool
    /// Whether it is of several sources: one that is away does not hide what waits at others.
    let isSeveral: Bool

    @MainActor init(_ facts: ViewContext) {
      count = facts.control?.waiting.count ?? 0
      let isWhole = facts.control.map { $0.canAnswer && $0.unknown.isEmpty } ?? false
      isSeveral = facts.sources != nil
      isKnown =
        isWhole && (isSeveral || facts.status.overall == .live || facts.replay != nil)
    }

    func part(isShort: Bool) -> Part {
      if count > 0, isKnown || isSeveral {
        return Part(
          PlainText(" \(count) WAIT\(isKnown ? "" : " ?") "), .warning, isVital: true,
          isReversed: true)
      }
      if isKnown { return Part(isShort ? "0 wait" : "none waits", .positive, isVital: true) }
      return Part(count > 0 ? PlainText("\(count) wait ?") : "wait ?", .muted, isVital: true)
    }
  }

  private func rightSide(bot form: BotWord.Form) -> [Part] {
    var parts: [Part] = []
    if let answer, layout > .extraSmall {
      parts.append(Part(answer: answer.cut(to: 40)))
    }
    if let scope {
      let short = layout >= .medium ? scope.cut(to: 32) : scope.dropFirst(columns: 6).cut(to: 14)
      parts.append(
        Part(layout == .extraSmall ? short.cut(to: 8) : short, .focus, isVital: true))
    }
    if let source {
      parts += source.parts(isShort: layout < .medium)
    } else if layout >= .medium {
      let kind = isChatServer ? "chat" : kind.rawValue
      let name = profile.isEmpty ? kind : "\(kind)@\(profile)"
      parts.append(Part(PlainText(name, limit: 24), .muted, isOptional: true))
    }
    parts.append(
      isPast
        ? Part(" " + state + " ", role, isVital: true, isReversed: true)
        : Part("  " + state, role, isVital: true, hasDot: true, dot: isLive ? .dot : .ring))
    if hasControl { parts.append(Part(" CTRL ", .negative, isVital: true, isReversed: true)) }
    if let waiting {
      let part = waiting.part(isShort: layout < .medium)
      if let level = attention?.level, layout >= .medium || layout == .small && level > .passive {
        parts.append(part.with(AttentionBadge(level: level, isShort: layout == .small)))
      } else {
        parts.append(part)
      }
    } else if !isChatServer, let part = bot.part(form) {
      parts.append(part)
    }
    if let othersWait, othersWait.count > 0 || !othersWait.isKnown {
      parts.append(othersWait.part(isShort: true))
    }
    if let recording {
      let text = layout >= .medium ? recording : "REC !"
      parts.append(Part(text, .error, isVital: true))
    }
    if layout >= .medium {
      if let latencyMs {
        parts.append(Part(Figures.duration(ms: latencyMs), .muted, isOptional: true))
      }
      if waiting == nil, !isOfAll, !isChatServer {
        parts.append(
          Part(Figures.cost(costToday) + " UTC", isCostOld ? .muted : .cost, isOptional: true))
      }
    }
    // In the past the playhead is the time.
    if !isPast { parts.append(Part(time, .text)) }
    return parts
  }
}
