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

  package init(members: [Member], focused: Int) {
    self.members = members
    self.focused = focused
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

  /// The first source beside the shown one that is not live.
  package var firstAway: Member? {
    members.enumerated().first { $0.offset != focused && !$0.element.isLive }?.element
  }

  /// Whether one of them is a gateway.
  package var hasGateway: Bool { members.contains { $0.facts.isGateway } }
}

/// Which source to show.
package enum SourceChoice: Hashable, Sendable {
  case next
  /// By the name of its profile.
  case named(String)
}

extension ViewContext {
  /// The facts of the source that a card is of; those of the only source where there is one.
  package func own(_ card: ControlBoard.Card) -> ViewContext {
    sources?.member(named: card.source)?.facts ?? self
  }
}
