import ClankyWire
import CockpitStores
import LenientJSON
import Networking

/// The guilds of the bot by name: what `--guild NAME` is looked up in.
package enum GuildNames {
  package static let target = RequestTarget(["api", "guilds"])

  /// The names by id in a body of `/api/guilds`; nil if it is no list.
  package static func read(_ body: [UInt8]) -> [String: String]? {
    guard let list = (try? JSONValue.parse(body, sparesRows: true)).flatMap(WireList<Guild>.init)
    else { return nil }
    return list.rows.reduce(into: [:]) { names, guild in
      if let id = guild.id { names[id] = guild.name ?? id }
    }
  }

  /// The id of a guild that is named by id or name.
  ///
  /// - Throws: exit code 2 where several have that name, 1 where none has.
  package static func id(of text: String, in guilds: [String: String]) throws(Failure) -> String {
    switch GuildScope.named(text, in: guilds) {
    case .guild(let id): return id
    case .several: throw Failure(.usage, GuildScope.problem(text, in: guilds))
    case .unknown: throw Failure(.failed, GuildScope.problem(text, in: guilds))
    }
  }
}
