/// What went wrong, as precisely as the wire allows. Remote text inside is bounded, has the token
/// redacted, and is sanitised when drawn. HTML is never quoted.
package enum LinkFailure: Error, Sendable, Equatable {
  /// Nothing listens at the address.
  case refused(origin: String)
  case unknownHost(String)
  /// The way there is barred: no route, no network, a firewall.
  case unreachable(origin: String, detail: String)
  case timedOut(LinkPhase)
  /// The far side speaks TLS, but its certificate does not hold.
  case tls(host: String, CertificateFault, detail: String)
  /// https to something that does not speak it, or not a version of it that is still safe.
  case notTLS(origin: String, detail: String)
  /// `variables`: the environment variables that name the proxy; nil if none does.
  case proxy(String, variables: ProxyVariables? = nil)
  /// 401.
  case unauthorized(tokenGiven: Bool)
  /// 401 from a proxy in front of the backend that wants its own login: a different challenge, or a
  /// web page. The text is the scheme name, empty if none is given.
  case loginInFront(scheme: String)
  /// 403: something in front of the backend, or the backend itself, does not let us in.
  case forbidden
  /// 404 on a path that always exists: how a tunnel answers a missing or wrong token, or a stale
  /// URL (wire contract 1.4).
  case hidden(tokenGiven: Bool)
  /// 404 on an optional path while other paths answer; the text names the missing feature.
  case noRoute(String)
  /// 503 `dashboard_token_required_when_public_https_enabled` (wire contract 1.3).
  case tokenRequiredByServer
  /// Any other 5xx.
  case serverError(status: Int, message: String)
  /// 429.
  case rateLimited
  /// Any other 4xx.
  case requestRejected(status: Int, message: String)
  /// A redirect to another origin, not followed.
  case redirected(to: String)
  case tooManyRedirects
  case notClanky(NotClanky)
  /// An error page of the tunnel's operator (502, 530, Cloudflare code 1033 and the like).
  case tunnelDown(status: Int, code: Int?)
  /// The connection broke in mid-stream.
  case connectionLost(String)
  /// The server ended the stream in an orderly way: a restart looks like this.
  case streamClosed
  /// 204: the server asks clients not to reconnect.
  case endedByServer
  /// Longer than we are willing to read.
  case answerTooLarge
  /// The source is a recording, and this was not recorded up to its moment.
  case notRecorded
  /// Not HTTP, or a failure of the network library without a better name.
  case transport(String)
  /// What happened and what to do, in the words of a source that has failures of its own.
  case stated(String)
}

/// Which time limit ran out.
package enum LinkPhase: String, Sendable, Equatable {
  case connect, handshake, headers, firstByte, silence, transfer
  /// The rows with which a stream begins.
  case snapshot
}

/// Why an answer cannot come from a Clanky backend.
package enum NotClanky: Sendable, Equatable {
  case html(status: Int)
  case contentType(String)
  case notJSON
  /// Valid JSON, but not an answer of a Clanky backend.
  case otherJSON
  case wrongPath
  /// 511: the login page of a network (RFC 6585).
  case networkLogin
  case unexpectedStatus(Int)
}

extension LinkFailure: CustomStringConvertible {
  /// What happened, one sentence.
  package var sentence: String {
    switch self {
    case .refused(let origin): "Nothing answers at \(origin): the connection was refused."
    case .unknownHost(let host): "The host name \(host) is not known."
    case .unreachable(let origin, let detail):
      "\(origin) cannot be reached\(Self.appended(detail))."
    case .timedOut(.connect): "The backend could not be reached in time."
    case .timedOut(.handshake): "The port took the connection but did not begin TLS in time."
    case .timedOut(.headers): "The backend took the connection but did not answer in time."
    case .timedOut(.firstByte): "The tunnel holds the stream back: connected, but no byte arrives."
    case .timedOut(.snapshot):
      "The stream is open, but the rows it begins with did not come in time."
    case .timedOut(.silence): "Nothing was heard for 20 seconds on an open stream."
    case .timedOut(.transfer): "The answer did not arrive completely in time."
    case .tls(let host, _, let detail):
      "The TLS certificate of \(host) was not accepted\(Self.appended(detail))."
    case .notTLS(let origin, let detail):
      "\(origin) does not speak TLS as it should\(Self.appended(detail))."
    case .proxy(let detail, _): "The proxy did not let the request through\(Self.appended(detail))."
    case .unauthorized(true): "The backend did not accept the token (401)."
    case .unauthorized(false): "The backend wants a token (401)."
    case .loginInFront(let scheme):
      "Something in front of the backend asks for a login of its own (401\(scheme.isEmpty ? "" : ", " + scheme))."
    case .forbidden: "Access was denied (403)."
    case .hidden(true):
      "The server hides behind 404: the token is not the right one, or the URL is stale."
    case .hidden(false): "The server hides behind 404: a token is missing, or the URL is stale."
    case .noRoute(let what): "This backend has no \(what) (404)."
    case .tokenRequiredByServer:
      "The backend is public but has no dashboard token configured, so it answers nobody (503)."
    case .serverError(let status, let message):
      "The backend failed (\(status))\(Self.appended(message))."
    case .rateLimited: "The backend asks for fewer requests (429)."
    case .requestRejected(let status, let message):
      "The backend rejected the request (\(status))\(Self.appended(message))."
    case .redirected(let origin):
      "The server points to another address, \(origin); the token was not sent there."
    case .tooManyRedirects: "The server redirects in circles."
    case .notClanky(let why): "This is not a Clanky backend: \(why.description)."
    case .tunnelDown(let status, let code):
      if let code {
        "The tunnel is up but leads nowhere (\(status), Cloudflare error \(code))."
      } else {
        "The tunnel or gateway cannot reach the backend (\(status))."
      }
    case .connectionLost(let detail): "The connection was lost\(Self.appended(detail))."
    case .streamClosed: "The backend closed the stream."
    case .endedByServer: "The backend asked not to be contacted again (204)."
    case .answerTooLarge: "The answer was too large and was not read to the end."
    case .notRecorded: "This was not recorded up to that moment."
    case .transport(let detail): "The answer could not be understood\(Self.appended(detail))."
    case .stated(let words): words
    }
  }

  /// What to do next, one sentence.
  package var advice: String {
    switch self {
    case .refused: "Start the bot, or correct --url."
    case .unknownHost: "Check --url and the network; quick tunnels get a new name at each start."
    case .timedOut(.connect), .unreachable: "Check the network, the firewall and --url."
    case .timedOut(.handshake), .notTLS:
      "Write http:// in --url if the port is a plain one; else check host and port."
    case .timedOut(.headers):
      "Check that the bot is not overloaded, and that no other program has its port."
    case .timedOut(.firstByte): "A named tunnel passes streams at once; quick tunnels may not."
    case .timedOut(.snapshot): "Check --url, and look at the bot's log."
    case .timedOut(.silence): "Check that the bot still runs, and the network."
    case .timedOut(.transfer): "Try again, or ask for less."
    case .tls(_, .expired, _):
      "Renew it on the backend's side; if it is still good, set the clock of this machine."
    case .tls(_, .notYetValid, _):
      "Set the clock of this machine; if it is right, the certificate begins later."
    case .tls(_, .otherName, _): "Write the host name that the certificate is for in --url."
    case .tls(_, .unknownAuthority, _):
      "Add the authority that signed it, or the certificate itself, with --ca-file."
    case .tls(_, .other, _), .tls(_, .otherKey, _), .tls(_, .otherCertificate, _),
      .tls(_, .fingerprintUnsupported, _):
      "Check the host name in --url; add a private authority with --ca-file."
    case .tls(_, .ownUnusable, _):
      "Check that client_key in the profile is the key of client_certificate."
    case .tls(_, .ownRefused, _):
      "The server wants a client certificate that it knows: check client_certificate and client_key in the profile."
    case .proxy(_, let variables): Self.proxyAdvice(variables)
    case .unauthorized(true): "Compare the token with DASHBOARD_TOKEN of the bot."
    case .unauthorized(false):
      "Give the value of DASHBOARD_TOKEN with --token-file or CLANKY_TOKEN."
    case .loginInFront:
      "Give an --url that leads to the bot itself, or let /api through there: the token is not what it asks for."
    case .forbidden: "Check which access rule guards this address."
    case .hidden(true): "Compare the token with DASHBOARD_TOKEN, and the URL with the bot's tunnel."
    case .hidden(false): "Give a token with --token-file or CLANKY_TOKEN, and check the URL."
    case .noRoute: "Another version of the bot may have that; everything else works."
    case .tokenRequiredByServer:
      "Set DASHBOARD_TOKEN on the bot, restart it, and use that token here."
    case .serverError: "Look at the bot's log."
    case .rateLimited: "Wait a minute before the next try."
    case .requestRejected: "Check --url; this version of the bot may not know the request."
    case .redirected: "If that address is the right one, give it as --url."
    case .tooManyRedirects: "Check --url and what stands in front of the backend."
    case .notClanky(.wrongPath): "Check the path in --url."
    case .notClanky(.networkLogin): "Open a web page in a browser, log in, and try again."
    case .notClanky: "Check --url: it should be the address of the bot's dashboard."
    case .tunnelDown: "Check that the bot runs and that --url is its current tunnel."
    case .connectionLost: "Check that the bot still runs, and --url."
    case .streamClosed: "Check that the bot still runs; its restart looks like this."
    case .endedByServer: "Reconnect when it should be tried again."
    case .answerTooLarge: "Ask for less, for example a shorter time."
    case .notRecorded: "Look at a later moment, or at the live bot."
    case .transport: "Check that --url has the right scheme and port."
    case .stated: ""
    }
  }

  /// Both sentences.
  package var description: String { advice.isEmpty ? sentence : sentence + " " + advice }

  package static func proxyAdvice(_ variables: ProxyVariables?) -> String {
    guard let variables else { return "Check HTTPS_PROXY and NO_PROXY." }
    return "Check \(variables.proxy), or name the host in \(variables.exceptions)."
  }

  private static func appended(_ detail: String) -> String {
    detail.isEmpty ? "" : ": " + BoundedText.bounded(detail)
  }
}

extension LinkFailure {
  /// Whether to retry automatically. 204, 401 and their equivalents end the stream.
  package var isRetryable: Bool {
    switch self {
    case .unauthorized, .hidden, .endedByServer, .notRecorded: false
    default: true
    }
  }

  /// Exit code of a command that ends with this failure: 4 authentication, 1 a feature this backend
  /// lacks, 3 everything else. (A rejected URL is a `BackendURL.Problem` and exits with 2.)
  package var exitCode: Int32 {
    switch self {
    case .unauthorized, .hidden, .tokenRequiredByServer, .forbidden: 4
    case .noRoute, .notRecorded: 1
    default: 3
    }
  }

  /// A stable word for machine-readable output.
  package var name: String {
    switch self {
    case .refused: "refused"
    case .unknownHost: "dns"
    case .unreachable: "unreachable"
    case .timedOut: "timeout"
    case .tls, .notTLS: "tls"
    case .proxy: "proxy"
    case .unauthorized: "unauthorized"
    case .loginInFront: "login_in_front"
    case .forbidden: "forbidden"
    case .hidden: "hidden_behind_404"
    case .noRoute: "no_route"
    case .tokenRequiredByServer: "token_required"
    case .serverError: "server_error"
    case .rateLimited: "rate_limited"
    case .requestRejected: "rejected"
    case .redirected, .tooManyRedirects: "redirect"
    case .notClanky: "not_clanky"
    case .tunnelDown: "tunnel_down"
    case .connectionLost: "connection_lost"
    case .streamClosed: "closed"
    case .endedByServer: "ended_by_server"
    case .answerTooLarge: "too_large"
    case .notRecorded: "not_recorded"
    case .transport: "transport"
    case .stated: "stated"
    }
  }
}

extension NotClanky: CustomStringConvertible {
  package var description: String {
    switch self {
    case .html(let status): "it answered with a web page (status \(status))"
    case .contentType(""): "the answer has no content type"
    case .contentType(let type): "the answer is \(BoundedText.bounded(type, limit: 80))"
    case .notJSON: "the answer is not JSON"
    case .otherJSON: "it answers with something else"
    case .wrongPath: "it does not know the path"
    case .networkLogin: "the network asks you to log in first (511)"
    case .unexpectedStatus(let status): "it answered with status \(status)"
    }
  }
}
