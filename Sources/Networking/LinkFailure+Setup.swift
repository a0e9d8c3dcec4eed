extension LinkFailure {
  /// The next step, one sentence, for a user who is entering address and token in setup and has no
  /// options to correct.
  package var setupAdvice: String {
    switch self {
    case .refused: "Start the bot, or correct host and port of the address."
    case .unknownHost:
      "Check the address for a typing error; quick tunnels get a new name at each start of the bot."
    case .timedOut(.connect), .unreachable:
      "Check network and firewall: nothing at that address takes connections."
    case .timedOut(.headers), .timedOut(.transfer):
      "Try again; when it stays so, look whether the bot is overloaded or the port is another program's."
    case .timedOut(.handshake), .notTLS:
      "Write http:// if the port is a plain one; else check host and port of the address."
    case .timedOut: "Try again."
    case .tls(_, .expired, _):
      "Renew it on the backend's side; if it is still good, set the clock of this machine."
    case .tls(_, .notYetValid, _):
      "Set the clock of this machine; if it is right, the certificate begins later."
    case .tls(_, .otherName, _): "Enter the host name that the certificate is for."
    case .tls:
      "Check the host name; a certificate of your own authority is accepted with ca_file in the configuration, or --ca-file."
    case .proxy(_, let variables): Self.proxyAdvice(variables)
    case .unauthorized(true): "Enter the token again: the value of DASHBOARD_TOKEN of the bot."
    case .unauthorized(false): "Enter the token: the value of DASHBOARD_TOKEN of the bot."
    case .loginInFront:
      "Enter an address that leads to the bot itself, or let /api through there: the token is not what it asks for."
    case .forbidden: "Something in front of the bot denies access; check its rules."
    case .hidden(true):
      "Enter the token again, and compare the address with the tunnel that the bot shows now."
    case .hidden(false):
      "Enter the token, and compare the address with the tunnel that the bot shows now."
    case .noRoute, .notRecorded, .stated: advice
    case .tokenRequiredByServer:
      "Set DASHBOARD_TOKEN on the bot, restart it, and enter that token here."
    case .serverError: "Look at the bot's log, then try again."
    case .rateLimited: "Wait a minute, then try again."
    case .requestRejected: "Check the address: another version of the bot, or another program."
    case .redirected: "If that address is the right one, enter it."
    case .tooManyRedirects: "Check the address and what stands in front of the bot."
    case .notClanky(.networkLogin): "Open a web page in a browser, log in, and try again."
    case .notClanky(.wrongPath): "Check the path of the address; usually it has none."
    case .notClanky: "Check the address: it should be that of the bot's dashboard."
    case .tunnelDown: "Start the bot, and compare the address with the tunnel that it shows now."
    case .connectionLost, .streamClosed, .endedByServer: "Try again."
    case .answerTooLarge: "Check the address: the bot's answer is small."
    case .transport: "Check scheme and port of the address: https or http."
    }
  }

  /// Whether a different token may fix it.
  package var isAboutToken: Bool {
    switch self {
    case .unauthorized, .hidden: true
    default: false
    }
  }
}
