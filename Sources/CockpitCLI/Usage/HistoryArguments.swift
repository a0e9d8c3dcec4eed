import ArgumentParser
import ClankyWire
import CockpitStores

/// Arguments that several verbs read alike.
enum HistoryArguments {
  static func duration(_ text: String) throws -> HistoryDuration {
    guard let duration = HistoryDuration(text) else {
      throw ValidationError("--since is a duration such as 15m, 2h or 1d")
    }
    return duration
  }

  static func query(_ text: String) throws -> Query {
    do throws(QueryError) {
      return try Query.parse(text)
    } catch {
      throw ValidationError("--filter: \(error.description)")
    }
  }
}
