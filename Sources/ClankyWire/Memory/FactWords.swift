/// The scope of a fact (contract 6.1).
package struct FactScope: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// One user, in every guild.
  package static let user = FactScope(rawValue: "user")
  /// One guild.
  package static let guild = FactScope(rawValue: "guild")
  /// The owner, privately.
  package static let owner = FactScope(rawValue: "owner")
  /// A project; never listed.
  package static let project = FactScope(rawValue: "project")
  /// A task; never listed.
  package static let task = FactScope(rawValue: "task")
  /// A swarm; never listed.
  package static let swarm = FactScope(rawValue: "swarm")
  /// A collaborator; never listed.
  package static let collaborator = FactScope(rawValue: "collaborator")
}

/// The type of a fact (contract 6.1). The backend accepts any token of up to 40 characters.
package struct FactType: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A user's preference.
  package static let preference = FactType(rawValue: "preference")
  /// A user's profile.
  package static let profile = FactType(rawValue: "profile")
  /// A relationship between users.
  package static let relationship = FactType(rawValue: "relationship")
  /// A user's project.
  package static let project = FactType(rawValue: "project")
  /// Guidance for the bot's behaviour.
  package static let guidance = FactType(rawValue: "guidance")
  /// How a user wants to be treated.
  package static let behavioral = FactType(rawValue: "behavioral")
  /// Anything else.
  package static let other = FactType(rawValue: "other")
}

/// Subjects that are no Discord user (contract 6.1).
package enum FactSubject: String, CaseIterable, Hashable, Sendable {
  /// The bot about itself.
  case bot = "__self__"
  /// The community.
  case lore = "__lore__"
  /// The owner, privately.
  case owner = "__owner__"

  /// nil if the subject is an ordinary one.
  package init?(special subject: String) { self.init(rawValue: subject) }
}
