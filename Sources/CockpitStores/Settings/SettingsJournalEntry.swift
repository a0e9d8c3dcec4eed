package import LenientJSON
package import ClankyWire

/// One line of the journal of the settings. A save has two lines with the same `write`: one with the
/// document before, before the PUT goes out, and one with the outcome. Secrets are masked.
package struct SettingsJournalEntry: Hashable, Sendable {
  package enum Outcome: String, CaseIterable, Hashable, Sendable {
    /// The PUT is about to go out.
    case sending
    case stored
    /// Nothing was changed.
    case conflict, unchanged, failed
    case unknown
  }

  /// One setting of the change: asked for before, sent, and in effect afterwards.
  package struct Change: Hashable, Sendable {
    package var path: SettingPath
    package var before: JSONValue?
    package var after: JSONValue?
    package var stored: JSONValue?

    package init(
      path: SettingPath, before: JSONValue?, after: JSONValue?, stored: JSONValue? = nil
    ) {
      self.path = path
      self.before = before
      self.after = after
      self.stored = stored
    }
  }

  /// Names the save: both of its lines have it.
  package var write: String
  /// When, in ms since 1970 on the local clock.
  package var atMs: Int64
  /// The backend's address.
  package var backend: String
  /// `set`, `preset`, `reset` or `undo`.
  package var verb: String
  /// The save that an undo takes back.
  package var undoes: String?
  package var outcome: Outcome
  /// More about the outcome, as one sentence.
  package var detail: String?
  /// The version before, and the one after where it was stored.
  package var version: String
  package var newVersion: String?
  package var changes: [Change]
  /// All that was asked for before; only in the first line.
  package var before: JSONObject?

  package init(
    write: String, atMs: Int64, backend: String, verb: String, undoes: String? = nil,
    outcome: Outcome, detail: String? = nil, version: String, newVersion: String? = nil,
    changes: [Change], before: JSONObject? = nil
  ) {
    self.write = write
    self.atMs = atMs
    self.backend = backend
    self.verb = verb
    self.undoes = undoes
    self.outcome = outcome
    self.detail = detail
    self.version = version
    self.newVersion = newVersion
    self.changes = changes
    self.before = before
  }

  /// Whether something may have been stored by it.
  package var mayBeStored: Bool {
    switch outcome {
    case .stored, .unknown, .sending: true
    case .conflict, .unchanged, .failed: false
    }
  }

  /// Why it cannot be taken back; nil if it can.
  package var undoProblem: String? {
    guard mayBeStored else { return "Nothing was stored by it." }
    let isMasked = changes.contains { change in
      change.before.map(SettingSecrecy.holdsMask) ?? false
    }
    return isMasked
      ? "What stood there before held a secret, which the journal does not have; write it anew."
      : nil
  }
}

extension SettingsJournalEntry {
  /// Whether its settings are asked for as before the save.
  package func isAsBefore(in now: BotSettings) -> Bool {
    changes.allSatisfy { $0.before.meansSame(as: now.intent.value(at: $0.path)) }
  }

  /// Whether its settings are asked for as it was sent.
  package func isAsSent(in now: BotSettings) -> Bool {
    changes.allSatisfy { $0.after.meansSame(as: now.intent.value(at: $0.path)) }
  }

  /// Raised when a reader of before would misread a line.
  static let format = 1

  /// The entry as one line of ASCII JSON, without its end.
  package var line: [UInt8] {
    var writer = JSONObjectWriter()
    writer.int("version", Self.format)
    writer.string("write", write)
    writer.string("at", WireTime(milliseconds: atMs).iso)
    writer.string("backend", backend)
    writer.string("verb", verb)
    writer.string("undoes", undoes)
    writer.string("outcome", outcome.rawValue)
    writer.string("detail", detail)
    writer.string("settingsVersion", version)
    writer.string("newSettingsVersion", newVersion)
    writer.value(
      "changes",
      .array(
        changes.map { change in
          func shown(_ value: JSONValue?) -> JSONValue? {
            value.map { SettingSecrecy.masked($0, at: change.path) }
          }
          return .body([
            ("path", .string(change.path.description)), ("before", shown(change.before)),
            ("after", shown(change.after)), ("stored", shown(change.stored)),
          ])
        }))
    writer.value("before", before.map { .object(SettingSecrecy.masked($0)) } ?? .null)
    return writer.finish()
  }

  /// Parses a line; nil if it is not ours.
  package init?(line: [UInt8]) {
    guard let json = try? JSONValue.parse(line), json["version"]?.int == Self.format,
      let write = json["write"]?.string,
      let at = json["at"]?.string.flatMap(WireTime.init(iso:)),
      let backend = json["backend"]?.string, let verb = json["verb"]?.string,
      let outcome = json["outcome"]?.string.flatMap(Outcome.init),
      let version = json["settingsVersion"]?.string, let changes = json["changes"]?.array
    else { return nil }
    self.init(
      write: write, atMs: at.milliseconds, backend: backend, verb: verb,
      undoes: json["undoes"]?.string, outcome: outcome, detail: json["detail"]?.string,
      version: version, newVersion: json["newSettingsVersion"]?.string,
      changes: changes.compactMap { change in
        change["path"]?.string.flatMap { SettingPath($0) }.map {
          Change(
            path: $0, before: change["before"], after: change["after"], stored: change["stored"])
        }
      }, before: json["before"]?.object)
  }
}

extension [SettingsJournalEntry] {
  /// The saves at a backend with what is known of their outcome, oldest first.
  package func saves(at backend: String) -> [SettingsJournalEntry] {
    var places: [String: Int] = [:]
    var saves: [SettingsJournalEntry] = []
    for entry in self where entry.backend == backend {
      if let place = places[entry.write] {
        saves[place] = entry
      } else {
        places[entry.write] = saves.count
        saves.append(entry)
      }
    }
    return saves
  }

  /// The newest save at a backend that was not taken back yet.
  ///
  /// - Parameter now: decides about saves without a known outcome, such as one during which the program was killed:
  ///   one counts where the settings do not read as before. nil leaves them out.
  package func lastToUndo(at backend: String, in now: BotSettings?) -> SettingsJournalEntry? {
    let saves = saves(at: backend)
    let undone = Set(saves.filter { $0.outcome == .stored }.compactMap(\.undoes))
    return saves.last { save in
      guard save.verb != "undo", !undone.contains(save.write) else { return false }
      if save.outcome == .stored { return true }
      return save.mayBeStored && (now.map { !save.isAsBefore(in: $0) } ?? false)
    }
  }

  /// The newest save at a backend where its outcome is not known.
  package func doubtful(at backend: String) -> SettingsJournalEntry? {
    saves(at: backend).last.flatMap { $0.outcome == .sending || $0.outcome == .unknown ? $0 : nil }
  }
}
