package import ClankyWire

/// Something that MEMORY wants done; `MemoryService` carries it out.
package enum MemoryRequest: Hashable, Sendable {
  // Reading
  /// Fetch facts and subjects of a guild, or of all guilds, page by page.
  case load(guild: String?)
  /// Search by meaning; it may cost the bot's owner money (contract 6.2).
  case search(text: String, guild: String)
  case loadOwnerPrivate
  case loadReflections(guild: String?)
  case loadMarkdown(guild: String?)
  /// The facts in the context for a user.
  case loadProfile(guild: String, user: String?)
  /// The facts recalled for a text, people, channel and mode; the request may cost money (contract 6.7).
  case recall(SnapshotRequest)
  case loadJournal
  /// How much of a part of the memory is there, before it is deleted.
  case count(MemoryPart)
  // Writing
  /// Keep a draft on the disk.
  case keep(FactDraft)
  case dropDraft(factID: Int)
  /// Send a draft; `overwriting` is the fact that the user has seen in a conflict and decided to
  /// replace.
  case send(FactDraft, overwriting: FactOverwrite?)
  /// The user has read the outcome.
  case dismiss(factID: Int)
  /// Hold the deletion of facts.
  case delete(factIDs: [Int])
  /// Hold the deletion of a part as a whole; the count is what the user saw.
  case deletePart(MemoryPart, counted: MemoryPartCount)
  /// Undo the newest held deletion.
  case undoDeletion
  /// Sends held deletions at once.
  case deleteNow
  /// Give many facts a type, one PUT each.
  case retype(factIDs: [Int], type: String)
  /// Stop a bulk change after the request that is under way.
  case stopBulk
}
