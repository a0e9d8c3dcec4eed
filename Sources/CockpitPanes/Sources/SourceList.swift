import CockpitAnswers
import CockpitDomain
import CockpitStores
import TerminalCore

/// The sources of a profile that has several, and the one that the tabs show.
@MainActor
package struct SourceList {
  package struct Member {
    /// Of its profile.
    package var name: String
    package var tag: SourceTag
    /// Of the source alone.
    package var facts: ViewContext

    package init(name: String, tag: SourceTag, facts: ViewContext) {
      self.name = name
      self.tag = tag
      self.facts = facts
    }

    package var isLive: Bool {
      let state = facts.status.overall
      return state == .live || state == .polling
    }
  }

  /// In the order of the configuration.
  package var members: [Member]
  /// The place of the one that the tabs show.
  package var focused: Int
  /// The feeds of all of them as one, while PULSE shows that.
  package var merged: MergedLines?
  /// The same with every row, folded ones too.
  package var mergedRows: MergedLines?

  package init(members: [Member], focused: Int, isMerged: Bool = false) {
    self.members = members
    self.focused = focused
    guard isMerged else { return }
    func lines(isFlat: Bool) -> MergedLines {
      MergedLines(
        members.map { member in
          MergedLines.Part(
            lines: FeedLines(member.facts.feed, member.facts.outline, isFlat: isFlat),
            log: member.facts.activity.log)
        })
    }
    merged = lines(isFlat: false)
    mergedRows = lines(isFlat: true)
  }

  package var current: Member { members[focused] }

  package func member(named name: String?) -> Member? {
    name.flatMap { name in members.first { $0.name == name } }
  }

  /// `2/3`: how many are live.
  package var liveCount: PlainText {
    PlainText("\(members.count(where: \.isLive))/\(members.count)")
  }

  package var areAllLive: Bool { members.allSatisfy(\.isLive) }

  /// The first source that is not live, else the one that is shown.
  package var worst: ViewContext { (members.first { !$0.isLive } ?? current).facts }

  /// The bot that is worst off; nil without one.
  package var worstBot: Member? {
    let bots = members.filter { !$0.facts.isGateway }
    let sick = bots.filter { !$0.facts.triage.ofBot.isEmpty }.min { left, right in
      TriageTrouble.isWorse(left.facts.triage.ofBot[0], right.facts.triage.ofBot[0])
    }
    return sick ?? bots.first { !$0.facts.triage.isKnown }
      ?? bots.first { $0.facts.triage.asOfMs != nil } ?? bots.first
  }

  /// The first source beside the shown one that is not live.
  package var firstAway: Member? {
    members.enumerated().first { $0.offset != focused && !$0.element.isLive }?.element
  }

  /// Matching rows of all feeds, and the rows that they choose from.
  package var shownRows: (shown: Int, of: Int) {
    members.reduce((0, 0)) { sum, member in
      let feed = member.facts.feed
      return (
        sum.0 + feed.presentCount, sum.1 + feed.choiceCount(in: member.facts.activity.log)
      )
    }
  }

  /// Whether one of them is a gateway.
  package var hasGateway: Bool { members.contains { $0.facts.isGateway && !$0.facts.isChatServer } }
}

/// Which source to show.
package enum SourceChoice: Hashable, Sendable {
  case next
  /// All of them in PULSE.
  case all
  /// The one that is shown, alone, with the rows that a filter finds there.
  case rows(String)
  /// By the name of its profile.
  case named(String)
  /// The same with the list of what is wrong with it.
  case triage(String)
}

extension ViewContext {
  /// Whether the feed is that of several sources.
  package var isMerged: Bool { sources?.merged != nil }

  /// A row of the feed; nil if it was evicted.
  package func feedRow(_ id: RowID) -> ActionRowView? {
    guard let sources, sources.merged != nil else { return activity.log.row(id) }
    guard let row = SourceRow(id) else { return nil }
    return sources.members[safe: row.source]?.facts.activity.log.row(row.row)
  }

  /// The facts of the source that a row of the feed is of.
  package func facts(ofRow id: RowID) -> ViewContext {
    guard let sources, sources.merged != nil, let row = SourceRow(id) else { return self }
    return sources.members[safe: row.source]?.facts ?? self
  }

  /// The tag before a row of the feed; nil in the feed of one source.
  package func tag(ofRow id: RowID) -> SourceTag? {
    guard let sources, sources.merged != nil else { return nil }
    return SourceRow(id).flatMap { sources.members[safe: $0.source]?.tag }
  }

  /// A row of the shown source as the feed knows it.
  package func feedID(_ row: RowID) -> RowID {
    guard let sources, sources.merged != nil else { return row }
    return SourceRow(source: sources.focused, row: row).id
  }

  /// The facts of the source that a card is of; those of the only source where there is one.
  package func own(_ card: ControlBoard.Card) -> ViewContext {
    sources?.member(named: card.source)?.facts ?? self
  }

  /// The same of a run or a grant.
  package func own(_ run: ControlBoard.Run) -> ViewContext {
    sources?.member(named: run.source)?.facts ?? self
  }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
