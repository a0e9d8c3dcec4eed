internal import LenientJSON

/// A refused request, from its status and `detail`, which is an object, a list or text.
package struct ServiceRefusal: Error, Sendable, Equatable {
  package var status: Int
  /// `invalid_api_key`, `agent_not_found`, …; empty if the answer names none.
  package var kind: String
  /// Remote text; may be empty.
  package var message: String

  package init(status: Int, kind: String = "", message: String = "") {
    self.status = status
    self.kind = kind
    self.message = message
  }

  package init(status: Int, body: [UInt8]) {
    self.init(status: status)
    guard let value = try? JSONValue.parse(body), let detail = value["detail"] else { return }
    switch detail {
    case .string(let text): message = text
    case .array(let problems):
      kind = "validation"
      message = problems.prefix(5).compactMap { problem in
        let place = problem["loc"]?.array?.compactMap(\.string).last
        guard let words = problem["msg"]?.string else { return place }
        return place.map { "\($0): \(words)" } ?? words
      }.joined(separator: "; ")
    default:
      kind = detail["status"]?.string ?? ""
      message = detail["message"]?.string ?? ""
    }
    message = String(message.prefix(400))
  }

  /// Waiting helps.
  package var isRateLimit: Bool { status == 429 }
  /// The key, not the request, is the problem.
  package var isKeyRefused: Bool { status == 401 || status == 403 }

  /// What happened and what to do.
  package var sentence: String {
    switch status {
    case 401, 403: "The API key was refused. Check token_file or token_command in the profile."
    case 404 where kind == "agent_not_found" || message.lowercased().contains("agent"):
      "There is no agent with this id. Check agent in the profile."
    case 404: "The address does not have this interface. Check url in the profile."
    case 422: "The server did not accept the request\(words)."
    case 429: "The server limits the rate of requests; the next attempt waits."
    case 500...: "The server failed (status \(status)); it is asked again later."
    default: "The server refused (status \(status))\(words)."
    }
  }

  private var words: String { message.isEmpty ? "" : " (\(message))" }
}
