internal import LenientJSON
internal import Networking

/// Why a server did not answer, each in one sentence with the next step.
extension ChatFailure {
  /// The largest `Retry-After` that is believed, seconds.
  private static let longestWait = 24 * 3_600

  /// - Parameters:
  ///   - body: of the refusal.
  ///   - nowMs: ms since 1970, for a `Retry-After` that is a date.
  static func refused(
    _ head: HTTPHead, _ body: [UInt8], by server: ChatServer, nowMs: Int64
  ) -> ChatFailure {
    let who = server.isGateway ? "The gateway" : "The server"
    let error = ServerError(body)
    let words = error.message.isEmpty ? "status \(head.status)" : error.message
    switch head.status {
    case 401:
      return ChatFailure(
        .authentication,
        server.secret == nil
          ? "\(who) wants a token. Put one into the profile with token_file or token_command."
          : "\(who) refused the token. Put the right one into the profile with token_file or token_command."
      )
    case 403:
      return ChatFailure(
        .authentication, "\(who) does not allow this (\(words)); check what the token may do.")
    case 404, 405, 501:
      guard !error.isAboutModel else {
        return ChatFailure(.request, "\(who) does not have this model (\(words)); choose another.")
      }
      return ChatFailure(
        .unsupported,
        server.isGateway
          ? "The gateway's HTTP API is switched off: set gateway.http.endpoints.chatCompletions.enabled or gateway.http.endpoints.responses.enabled."
          : "The server has neither /v1/chat/completions nor /v1/responses; check the url of the profile."
      )
    case 408:
      return ChatFailure(
        .connection, "\(who) did not get the whole message in time; send it again.")
    case 413:
      return ChatFailure(
        .request, "The message is too large for \(who.lowercased()); send fewer or smaller images.")
    case 429:
      let wait = waitMs(head, nowMs: nowMs)
      let next =
        wait.map { "send the message again in about \(Self.duration($0))" }
        ?? "wait a little, then send the message again"
      return ChatFailure(
        .rateLimit, "\(who) takes no more requests for now; \(next).", retryAfterMs: wait)
    case 502, 503, 504:
      return ChatFailure(
        .connection,
        "\(who) cannot be reached behind its proxy, or is starting (status \(head.status)); try again in a moment.",
        retryAfterMs: waitMs(head, nowMs: nowMs))
    case 500...: return ChatFailure(.agent, "\(who) failed (\(words)); look at its log.")
    case 300..<400:
      return ChatFailure(
        .request,
        "\(who) points to another address, to which nothing was sent; check the url of the profile."
      )
    default:
      return ChatFailure(
        .request, "\(who) did not take the message (\(words)); change it, or check the profile.")
    }
  }

  /// In seconds or as a date (RFC 9110, 10.2.3).
  private static func waitMs(_ head: HTTPHead, nowMs: Int64) -> Int? {
    guard let text = head.value("retry-after") else { return nil }
    if let seconds = Double(text), seconds >= 0, seconds.isFinite {
      return Int(min(seconds, Double(longestWait)) * 1_000)
    }
    guard let at = HTTPDate.milliseconds(text) else { return nil }
    return min(max(0, Int(clamping: at - nowMs)), longestWait * 1_000)
  }

  static func duration(_ milliseconds: Int) -> String {
    let seconds = (milliseconds + 999) / 1_000
    return seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) minutes"
  }

  /// The connection failed or broke.
  static func unreachable(
    _ error: TransportError, of server: ChatServer, hasText: Bool
  ) -> ChatFailure {
    let who = server.isGateway ? "the gateway" : "the server"
    let origin = server.base.origin
    let sentence =
      switch error {
      case .refused: "Nothing answers at \(origin): start \(who), or check the url of the profile."
      case .unknownHost: "The host name \(server.base.host) is not known; check the url."
      case .unreachable(let detail):
        "\(origin) cannot be reached (\(detail)); check the network and the url."
      case .timedOut(.connect), .timedOut(.handshake):
        "\(origin) could not be reached in time; check the network and the url."
      case .timedOut: "\(origin) took the message and did not begin to answer in time; try again."
      case .tls(_, let detail):
        "The TLS certificate of \(server.base.host) was not accepted (\(detail)); check ca_file and the url."
      case .notTLS(let detail):
        "\(origin) does not speak TLS (\(detail)); write http:// in the url if its port is a plain one."
      case .proxy(let detail):
        "The proxy did not let the request through (\(detail)); check HTTPS_PROXY and NO_PROXY."
      case .tunnel(let sentence): sentence
      case .connectionLost where hasText:
        "The connection broke in the middle of the answer; what has arrived is kept. Send the message again for a whole one."
      case .connectionLost(let detail):
        "The connection to \(origin) broke (\(detail)); send the message again."
      case .tooLarge: "The answer was too large and was not read to its end; ask for less."
      case .malformed(let detail): "\(origin) does not speak HTTP (\(detail)); check the url."
      case .redirectRefused, .tooManyRedirects:
        "\(origin) points to another address, to which nothing was sent; check the url."
      case .other(let detail): "\(origin) cannot be asked (\(detail)); check the network."
      }
    return ChatFailure(.connection, sentence)
  }
}

/// The body of a refusal: `{"error":{"message","type"}}`, or something else.
private struct ServerError {
  private static let limit = 400

  var message = ""
  var isAboutModel = false

  init(_ body: [UInt8]) {
    // Some servers send the error as an event, with the status of a failure.
    let start = Array("data:".utf8)
    let text =
      body.starts(with: start) ? Array(body.dropFirst(start.count).prefix { $0 != 0x0A }) : body
    guard let json = try? JSONValue.parse(text) else { return }
    let error = json["error"]
    let fields = error.flatMap { JSONFields($0) }
    let words =
      fields?.string("message") ?? error?.string ?? json["message"]?.string
      ?? json["detail"]?.string ?? ""
    message = String(words.prefix(Self.limit))
    // A server that does not know the path has no words about models.
    let code = fields?.string("code") ?? ""
    isAboutModel =
      code.hasPrefix("model_not_found") || fields?.string("param") == "model"
      || message.lowercased().contains("model")
  }
}
