import TerminalCore

/// The keys of a profile as the settings sheet shows them. No secret is in it.
package struct ProfileSettings: Hashable, Sendable {
  /// How a value is changed.
  package enum Form: Hashable, Sendable {
    /// Not here, and what changes it instead.
    case shown(PlainText)
    case choice([String])
    case flag
    case text
    /// A secret by reference: `env:NAME`, `file:PATH` or `command:LINE`.
    case reference
  }

  /// When a changed value takes effect.
  package enum Effect: Hashable, Sendable { case reconnect, restart }

  package struct Entry: Hashable, Sendable {
    /// As below `[profiles.NAME]`; that of a header is `headers.NAME`.
    package var key: String
    /// The heading that it stands under.
    package var group: PlainText
    /// What is in force, without secrets.
    package var value: PlainText
    /// A flag, a variable, a line of the file, or `default`.
    package var origin: PlainText
    /// Whether the profile itself sets it.
    package var isSet: Bool
    /// What the field begins with.
    package var text: String
    package var form: Form
    package var meaning: PlainText
    package var effect: Effect

    package init(
      key: String, group: PlainText, value: PlainText, origin: PlainText, isSet: Bool,
      text: String, form: Form, meaning: PlainText, effect: Effect
    ) {
      self.key = key
      self.group = group
      self.value = value
      self.origin = origin
      self.isSet = isSet
      self.text = text
      self.form = form
      self.meaning = meaning
      self.effect = effect
    }
  }

  /// A change that was checked and is not written yet.
  package struct Proposal: Hashable, Sendable {
    package var key: String
    /// Nil takes the key out.
    package var value: String?
    /// The lines of the file that go, and those that come.
    package var removed: [PlainText]
    package var added: [PlainText]

    package init(key: String, value: String?, removed: [PlainText], added: [PlainText]) {
      self.key = key
      self.value = value
      self.removed = removed
      self.added = added
    }
  }

  package var profile: String
  /// The configuration file.
  package var path: String
  package var entries: [Entry]
  /// Why nothing can be changed here; nil if something can.
  package var whyFixed: PlainText?
  /// The key whose last change can be taken back.
  package var undoable: String?
  /// Whether the file says something that the connection in use does not have yet.
  package var needsReconnect = false

  package init(profile: String, path: String, entries: [Entry], whyFixed: PlainText? = nil) {
    self.profile = profile
    self.path = path
    self.entries = entries
    self.whyFixed = whyFixed
  }
}

/// A request of the settings sheet to the program.
package enum ProfileSettingsRequest: Hashable, Sendable {
  case load
  /// Check a change, and say what it does to the file. Nil takes the key out.
  case propose(key: String, value: String?)
  case save(key: String, value: String?)
  /// Take the last change back.
  case undo
  /// Connect with what the file says now.
  case reconnect
}

/// What the program answers.
package enum ProfileSettingsAnswer: Hashable, Sendable {
  case loaded(ProfileSettings)
  case proposed(ProfileSettings.Proposal)
  /// The change was written, or why not; the keys as they are now.
  case done(ProfileSettings, PlainText)
  case refused(PlainText)
}
