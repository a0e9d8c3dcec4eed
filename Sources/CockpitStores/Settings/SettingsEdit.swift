package import LenientJSON
package import ClankyWire

/// A reviewed change of the bot's settings: what the user saw, and what is to stand there instead.
package struct SettingsEdit: Hashable, Sendable {
  /// Where it comes from; a word of the journal.
  package enum Verb: Hashable, Sendable {
    case set
    /// Takes the defaults of a preset, or those of the first one.
    case preset(String), reset
    /// Writes back what stood there before an earlier save.
    case undo(write: String)
  }

  /// One setting: nil is "not asked for", which is its default.
  package struct Step: Hashable, Sendable {
    package var path: SettingPath
    /// What was asked for before.
    package var before: JSONValue?
    /// What is to be asked for.
    package var after: JSONValue?
    /// What was in effect before.
    package var effective: JSONValue?
  }

  package private(set) var steps: [Step]
  package let verb: Verb
  /// The version that the user has seen.
  package let version: String

  /// Whether it rests on the whole document as it was seen, and not on single settings of it.
  package var isWhole: Bool {
    switch verb {
    case .preset, .reset: true
    case .set, .undo: false
    }
  }

  /// A change of single settings. One that changes nothing is left out.
  ///
  /// - Parameter changes: nil takes the default.
  package init(
    _ base: BotSettings, verb: Verb = .set, changes: [(path: SettingPath, value: JSONValue?)]
  ) {
    self.verb = verb
    version = base.version
    steps = changes.compactMap { path, value in
      let before = base.intent.value(at: path)
      guard !before.meansSame(as: value) else { return nil }
      return Step(
        path: path, before: before, after: value, effective: base.effective.value(at: path))
    }
  }

  /// A change into another document, such as the defaults of a preset.
  package init(_ base: BotSettings, verb: Verb, into intent: JSONObject) {
    self.init(
      base, verb: verb,
      changes: SettingDifference.between(base.intent, intent).map { ($0.path, $0.after) })
  }

  /// Whether nothing would be sent.
  package var isEmpty: Bool { steps.isEmpty }

  /// Why this must not be sent, as one sentence; nil if it may.
  package var problem: String? {
    for step in steps {
      if let after = step.after, SettingSecrecy.holdsMask(after) {
        return
          "\(step.path) holds \(SettingSecrecy.mask), which stands for a secret that is not shown; "
          + "write the secret itself."
      }
      if steps.contains(where: { $0.path != step.path && $0.path.isWithin(step.path) }) {
        return "\(step.path) and a part of it cannot be changed at once."
      }
    }
    return nil
  }

  /// The whole document with the change.
  func applied(to intent: JSONObject) throws(SettingPathProblem) -> JSONObject {
    var changed = intent
    for step in steps {
      if let after = step.after {
        changed = try changed.setting(step.path, to: after)
      } else {
        changed = changed.removing(step.path)
      }
    }
    return changed
  }

  /// Settings that stand differently than the user saw: a change of them would overwrite somebody
  /// else's.
  func changedMeanwhile(in now: BotSettings, since base: BotSettings?) -> [SettingPath] {
    if isWhole {
      guard now.version != version else { return [] }
      guard let base else { return [SettingPath([])] }
      let found = SettingDifference.between(base.effective, now.effective).map(\.path)
      return found.isEmpty ? [SettingPath([])] : found
    }
    return steps.filter { step in
      !now.intent.value(at: step.path).meansSame(as: step.before)
        || !now.effective.value(at: step.path).meansSame(as: step.effective)
    }.map(\.path)
  }
}

extension SettingsEdit.Verb {
  /// The word of the journal.
  package var word: String {
    switch self {
    case .set: "set"
    case .preset: "preset"
    case .reset: "reset"
    case .undo: "undo"
    }
  }
}
