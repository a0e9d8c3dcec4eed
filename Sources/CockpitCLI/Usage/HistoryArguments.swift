import ArgumentParser
import ClankyWire
import CockpitFiles
import CockpitSession
import CockpitStores
import CockpitText

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
      throw ValidationError(message(error, text))
    }
  }

  /// A query that may have stages.
  static func pipedQuery(_ text: String) throws -> Query {
    do throws(QueryError) {
      // The views are those of the configuration, which is read later.
      if text.drop(while: \.isWhitespace).first == "@" { return Query(unread: text) }
      return try Query.parse(piped: text)
    } catch {
      throw ValidationError(message(error, text))
    }
  }

  /// The query with its view, in the zone in which times are shown.
  static func query(_ query: Query, _ settings: Settings) throws(Failure) -> Query {
    do throws(QueryError) {
      return try Query.parse(
        piped: query.text, in: settings.clock.queryZone,
        views: QueryViews(settings.configuration.views))
    } catch {
      throw Failure(.usage, message(error, query.text))
    }
  }

  /// The error and its position.
  private static func message(_ error: QueryError, _ text: String) -> String {
    let part = String(Array(text).dropFirst(error.offset).prefix(max(1, error.length)))
    let place = part.isEmpty ? "" : " (at character \(error.offset + 1): \(part))"
    return "--filter: \(error.description)\(place)"
  }
}
