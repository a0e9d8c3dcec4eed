package import ClankyWire

/// One line of the journal: a request to the backend, and its outcome. A write has two lines with
/// the same `write`: one before the request is sent, one with the outcome, so that a crash between
/// them is visible.
package struct JournalEntry: Hashable, Sendable {
  package enum Verb: String, CaseIterable, Hashable, Sendable {
    case edit, retype, delete
    /// All memory of a guild.
    case purge
    /// The record of a reflection run.
    case deleteRun = "delete-run"
  }

  package enum Outcome: String, CaseIterable, Hashable, Sendable {
    /// The request is about to go out.
    case sending
    case stored, deleted
    /// Nothing was changed.
    case conflict, duplicate, gone, refused, failed
    case unknown
  }

  /// Names the write: both of its lines have it.
  package var write: String
  /// When, in ms since 1970 on the local clock.
  package var atMs: Int64
  /// The backend's address, and the guild or `owner`.
  package var backend: String
  package var guild: String
  package var verb: Verb
  /// 0 if it is not about one fact.
  package var factID: Int
  package var before: Fact?
  package var after: Fact?
  package var outcome: Outcome
  /// More about the outcome, as one sentence.
  package var detail: String?
  /// What a purge or the deletion of a run is about: the guild's name, or the run's id.
  package var subject: String?
  /// Facts that a purge takes, as far as they were here before it.
  package var facts: [Fact] = []

  /// Bytes of facts that one line has room for.
  package static let factsLimit = 900_000

  package init(
    write: String, atMs: Int64, backend: String, guild: String, verb: Verb, factID: Int,
    before: Fact?, after: Fact?, outcome: Outcome, detail: String? = nil, subject: String? = nil
  ) {
    self.write = write
    self.atMs = atMs
    self.backend = backend
    self.guild = guild
    self.verb = verb
    self.factID = factID
    self.before = before
    self.after = after
    self.outcome = outcome
    self.detail = detail
    self.subject = subject
  }
}
