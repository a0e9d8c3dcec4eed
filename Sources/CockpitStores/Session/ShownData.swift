/// The derived data of a bot that a screen is about to show, so that they are brought up to date before.
package struct ShownData: Equatable, Sendable {
  /// The guild that the screen is about.
  package var scope: GuildScope
  /// The filter of the feed.
  package var feed: Query
  /// Rows that the feed shows although they do not match.
  package var context: Set<RowID>
  /// What the feed folds; nil if it is not on screen.
  package var folding: FeedFolding?
  /// The query of the list of facts; nil if it is not on screen.
  package var facts: FactViewQuery?
  /// Whether voice sessions are shown.
  package var hasVoice: Bool
  /// Whether costs are shown.
  package var hasCosts: Bool

  package init(
    scope: GuildScope = .all, feed: Query = .everything, context: Set<RowID> = [],
    folding: FeedFolding? = nil,
    facts: FactViewQuery? = nil, hasVoice: Bool = false, hasCosts: Bool = false
  ) {
    self.scope = scope
    self.feed = feed
    self.context = context
    self.folding = folding
    self.facts = facts
    self.hasVoice = hasVoice
    self.hasCosts = hasCosts
  }

  /// The lists alone, in which a key means a place.
  package var lists: ShownData {
    ShownData(scope: scope, feed: feed, context: context, folding: folding, facts: facts)
  }
}
