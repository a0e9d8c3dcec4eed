import CockpitSession
import Networking
import ClankyWire
import CockpitStores
import Foundation

/// Finds the ids of guilds, people and channels that are named in words.
@MainActor
final class VoiceTargets {
  private let session: RestSession
  private var guilds: [Guild]?

  init(_ session: RestSession) { self.session = session }

  /// Something with an id and a name.
  struct Candidate: Hashable {
    var id: String
    var name: String
    /// Where it is, when that tells it from others of the same name.
    var place: String?

    var words: String { "\(name) (\(id)\(place.map { ", in \($0)" } ?? ""))" }
  }

  /// Discord's ids have 17 to 20 digits (contract 4.1); shorter numbers may be names.
  static func isID(_ text: String) -> Bool {
    (15...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The one candidate that matches an id or a name. Case and a leading `#` or `@` are ignored.
  ///
  /// - Parameters:
  ///   - what: such as "guilds".
  ///   - none: the sentence if no candidate matches.
  /// - Returns: nil if the text is an id that is not among the candidates: the backend may know it.
  static func pick(
    _ text: String, of candidates: [Candidate], what: String, none: String
  ) throws(Failure) -> String? {
    if candidates.contains(where: { $0.id == text }) { return text }
    let wanted = bare(text)
    let meant = candidates.filter { bare($0.name) == wanted }
    if meant.count > 1 {
      let list = meant.map(\.words).joined(separator: ", ")
      throw Failure(.usage, "several \(what) are called '\(text)': \(list); give the id")
    }
    if let one = meant.first { return one.id }
    if isID(text) { return nil }
    throw Failure(.failed, none)
  }

  private static func bare(_ text: String) -> String {
    let name = text.hasPrefix("#") || text.hasPrefix("@") ? String(text.dropFirst()) : text
    return name.lowercased().trimmingCharacters(in: .whitespaces)
  }

  // MARK: Targets

  /// Only live voice sessions report user names (contract 6.1).
  func user(_ text: String?) async throws(Failure) -> String? {
    guard let text, !Self.isID(text) else { return text }
    let people = ConnectionStore(address: "")
    people.learn(try await session.voiceState())
    let candidates = people.names.users.map { Candidate(id: $0.key, name: $0.value) }
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    return try Self.pick(
      text, of: candidates, what: "people",
      none:
        "Nobody called '\(text)' is in voice with the bot now, and the backend tells no other names; give the person's Discord id."
    ) ?? text
  }

  func textChannel(_ text: String?, guild: String?) async throws(Failure) -> String? {
    guard let text, !Self.isID(text) else { return text }
    var candidates: [Candidate] = []
    let known = try await loadGuilds()
    // A bot is in a handful of guilds; a hostile list does not become a flood of requests.
    for place in guild.map({ id in [known.first { $0.id == id } ?? Candidate(id: id, name: id)] })
      ?? Array(known.prefix(50))
    {
      let channels: [Channel] = try await session.list(
        of: RequestTarget(["api", "guilds", place.id, "channels"]), "channels")
      for channel in channels where channel.type != .voice {
        guard let id = channel.id, let name = channel.name else { continue }
        candidates.append(Candidate(id: id, name: name, place: place.name))
      }
    }
    return try Self.pick(
      text, of: candidates, what: "text channels",
      none: "There is no text channel called '\(text)'; give its id, or leave it out.") ?? text
  }

  private func loadGuilds() async throws(Failure) -> [Candidate] {
    if guilds == nil {
      guilds = try await session.list(of: RequestTarget(["api", "guilds"]), "guilds")
    }
    return (guilds ?? []).compactMap { guild in
      guild.id.map { Candidate(id: $0, name: guild.name ?? $0) }
    }
  }

  // MARK: Words

  /// Where the bot is now, in a sentence; nil if the answer does not say, or no name is known soon.
  func place(of result: JoinResult) async -> String? {
    guard let guild = result.guildID, let channel = result.voiceChannelID else { return nil }
    let names = await session.names()
    guard let name = names.channelName(channel) else { return nil }
    return "It is in #\(name) of \(names.guildName(guild) ?? guild)."
  }

  /// Says how things stand when the command is interrupted, and ends it.
  static func sayInterruption(
    in environment: Environment, _ isUnderWay: @escaping @MainActor () -> Bool
  ) {
    Task { @MainActor in
      guard let number = await environment.interruption() else { return }
      environment.output.complain(
        isUnderWay()
          ? "Interrupted while the bot was asked: the outcome is unknown; 'clanky-cockpit sessions' shows whether it is in voice."
          : "Interrupted; nothing was sent.")
      environment.end(.exit(128 + number))
    }
  }
}
