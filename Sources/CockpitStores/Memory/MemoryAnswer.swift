internal import LenientJSON
internal import Networking
internal import ClankyWire

/// The result of a MEMORY request: a value, or the reason why there is none.
enum MemoryAnswer<Value: Sendable>: Sendable {
  case value(Value)
  /// The route does not exist, or something hides it (contract 1.4).
  case noRoute(RequestFailure)
  /// The route does not exist, and others do.
  case notServed(RequestFailure)
  case failed(RequestFailure)

  /// The value or the failure, of any kind.
  var result: Result<Value, RequestFailure> {
    switch self {
    case .value(let value): .success(value)
    case .noRoute(let failure), .notServed(let failure), .failed(let failure): .failure(failure)
    }
  }
}

extension MemoryAnswer where Value: WireReadable {
  init(_ result: Result<RestAnswer, RestFailure>) {
    switch result {
    case .failure(let failure):
      switch failure.failure {
      case .noRoute: self = .notServed(.unanswered(failure))
      case .notClanky(.wrongPath), .hidden, .requestRejected(404, _), .requestRejected(405, _):
        self = .noRoute(.unanswered(failure))
      default: self = .failed(.unanswered(failure))
      }
    case .success(let answer) where answer.isSuccess:
      guard let json = try? JSONValue.parse(answer.body, sparesRows: true), let value = Value(json)
      else {
        self = .failed(.unreadable)
        return
      }
      self = .value(value)
    case .success(let answer):
      self =
        answer.status == 404 || answer.status == 405
        ? .noRoute(RequestFailure(refusal: answer)) : .failed(RequestFailure(refusal: answer))
    }
  }
}

extension RestRequest {
  private static func get(_ path: [String], _ query: [(String, String?)]) -> RestRequest {
    RestRequest(
      .get,
      RequestTarget(
        path,
        query: query.compactMap { name, value in
          value.map { RequestTarget.QueryItem(name, $0) }
        }))
  }

  /// The largest number of facts that one request returns (contract 3.2).
  static let factLimit = 500
  /// The largest number of hits of a search (contract 6.2).
  static let searchLimit = 24

  /// The largest number of reflection runs that one request returns (contract 6.5).
  static let reflectionLimit = 100

  static let guilds = get(["api", "guilds"], [])

  static func facts(guild: String, subject: String? = nil, text: String? = nil) -> RestRequest {
    get(
      ["api", "memory", "facts"],
      [("guildId", guild), ("limit", "\(factLimit)"), ("subject", subject), ("q", text)])
  }

  static func ownerFacts(text: String? = nil) -> RestRequest {
    get(
      ["api", "memory", "owner-private", "facts"], [("limit", "\(factLimit)"), ("q", text)])
  }

  static func subjects(guild: String) -> RestRequest {
    get(["api", "memory", "subjects"], [("guildId", guild), ("limit", "\(factLimit)")])
  }

  static func search(_ text: String, guild: String) -> RestRequest {
    get(
      ["api", "memory", "search"],
      [("q", text), ("guildId", guild), ("limit", "\(searchLimit)")])
  }

  static func reflections(guild: String?) -> RestRequest {
    get(["api", "memory", "reflections"], [("limit", "\(reflectionLimit)"), ("guildId", guild)])
  }

  static func markdown(guild: String?) -> RestRequest {
    get(["api", "memory"], [("guildId", guild)])
  }

  static func profile(guild: String, user: String?) -> RestRequest {
    get(["api", "memory", "fact-profile"], [("guildId", guild), ("userId", user)])
  }
}
