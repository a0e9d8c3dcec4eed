import CockpitSession
import ArgumentParser
import CockpitDomain
import Networking
import CockpitFiles
import CockpitShell
import Foundation

struct SetupCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "First run: address, token, test, save.",
    usage: """
      clanky-cockpit setup
      clanky-cockpit setup --url URL [--profile NAME] --token-stdin
      clanky-cockpit setup --kind openclaw [OPTIONS]
      clanky-cockpit setup --kind openai [OPTIONS]
      clanky-cockpit setup --kind elevenlabs [OPTIONS]
      clanky-cockpit setup --kind companion [--profile NAME --setup-code-stdin]
      """,
    discussion: """
      Asks at the terminal. Where avahi-browse or dns-sd is installed it lists the bots that announce \
      themselves on the local network (_clanky._tcp), with address and name; nothing else of an \
      announcement is used. For scripts: the address with --url, and the token on standard input \
      with --token-stdin, in a file with --token-file, in $CLANKY_TOKEN, or --no-token. Nothing is \
      saved unless the test succeeds; --no-test saves without it.

      --kind openclaw makes the profile of an OpenClaw gateway (docs/openclaw.md): it asks in the same way, or takes \
      --url, --profile, --scopes and --token-stdin, --token-file or $OPENCLAW_GATEWAY_TOKEN; with --auth password \
      the secret is the password, with --setup-code-stdin a setup code, or the name of an image file with its QR code, has address and token. Where the gateway \
      has to approve this device the profile is saved, the command for that is printed and the exit code is 4; \
      --await-approval waits up to 5 minutes for it.

      --kind openai makes the profile of a server that speaks OpenAI's interfaces (docs/chat.md): it asks in the same \
      way, or takes --url, --profile, --model, --api and --token-stdin, --token-file or --no-token; for OpenAI itself \
      $OPENAI_API_KEY too.

      --kind companion pairs this terminal with a companion gateway (docs/companion.md): it asks for the pairing code, \
      or takes it with --setup-code-stdin and --profile. A code works once, so the pairing is saved before the test.
      """)

  @OptionGroup var shared: SharedOptions

  @Flag(help: "The token is the first line of standard input; nothing is asked.")
  var tokenStdin = false

  @Flag(help: "The backend needs no token; nothing is asked.")
  var noToken = false

  @Flag(help: "Save without asking the backend.")
  var noTest = false

  @Flag(help: "Do not look for bots on the local network.")
  var noDiscovery = false

  @Flag(help: "Replace the address of a profile that exists already.")
  var replace = false

  @Option(help: "Where the token is saved (default: keyring, else file).")
  var store: CredentialStore?

  @Option(help: "What answers at the address.")
  var kind: SetupKind = .clanky

  @Option(help: ArgumentHelp("With --kind elevenlabs: the id of the agent.", valueName: "ID"))
  var agent: String?

  @Option(
    help:
      "What to ask a gateway for: watch sees all but approvals (default), operate also answers them and stops runs, admin does everything."
  )
  var scopes: Configuration.Gateway.Scopes?

  @Option(help: "What the secret of a gateway is (default: token).")
  var auth: GatewayAuth?

  @Flag(
    help:
      "A gateway's setup or pairing code, or an image of it, is the first line of standard input; nothing is asked."
  )
  var setupCodeStdin = false

  @Flag(help: "Wait until the gateway's owner has approved this device, 5 minutes at most.")
  var awaitApproval = false

  @Option(
    help: ArgumentHelp(
      "The model of a chat server (default: the first that it names).", valueName: "NAME"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "How a chat server is talked to: chat (default) or responses.", valueName: "WAY"))
  var api: ChatRoute?

  func validate() throws {
    if tokenStdin, noToken {
      throw ValidationError("--token-stdin and --no-token exclude each other")
    }
    if agent != nil, kind != .elevenlabs {
      throw ValidationError("--agent needs --kind elevenlabs")
    }
    if kind == .companion, tokenStdin || noToken || shared.url != nil || shared.tokenFile != nil {
      throw ValidationError(
        "a pairing code has everything in it; with --kind companion leave --url and the options of a token out"
      )
    }
    if let problem = GatewaySetup.validate(self) { throw ValidationError(problem) }
    if let problem = chatServerProblem { throw ValidationError(problem) }
    if shared.demo != nil {
      throw ValidationError("setup is for a real backend; leave --demo away")
    }
    if let name = shared.profile, name.isEmpty || !ProfileName.isUsable(name) {
      throw ValidationError("\(ProfileName.rule)")
    }
  }

  /// Why the options for a chat server cannot be used.
  private var chatServerProblem: String? {
    guard kind != .openai else {
      return api == .ws ? "--api is chat or responses: only a gateway has a WebSocket" : nil
    }
    return model == nil && api == nil ? nil : "--model and --api need --kind openai"
  }

  private var chatServer: ChatServerSetup.Wanted {
    ChatServerSetup.Wanted(
      profile: shared.profile, url: shared.url, model: model, interface: api?.rawValue,
      tokenStdin: tokenStdin, tokenFile: shared.tokenFile, noToken: noToken, noTest: noTest,
      replace: replace, caFile: shared.caFile, allowsPlainHTTP: shared.allowPlainHttp,
      preference: store?.preference)
  }

  @MainActor func run(in environment: Environment) async throws {
    // The profile to create need not exist yet.
    var options = shared
    options.profile = nil
    let settings = try Settings(options, in: environment)
    if kind == .openclaw {
      try await GatewaySetup(command: self, settings: settings).run()
    } else if kind == .openai {
      try await ChatServerSetup(wanted: chatServer, settings: settings).run()
    } else if kind == .elevenlabs {
      let given = ElevenLabsSetup.Options(
        profile: shared.profile, agent: agent, url: shared.url, tokenFile: shared.tokenFile,
        tokenStdin: tokenStdin, noToken: noToken, noTest: noTest, replace: replace,
        allowPlainHttp: shared.allowPlainHttp, preference: store?.preference)
      try await ElevenLabsSetup(options: given, settings: settings).run()
    } else if kind == .companion {
      let given = CompanionSetup.Options(
        profile: shared.profile, codeStdin: setupCodeStdin, noTest: noTest, replace: replace,
        preference: store?.preference)
      try await CompanionSetup(options: given, settings: settings).run()
    } else if tokenStdin || noToken || (!environment.isAttended && shared.url != nil) {
      try await SetupScript(command: self, settings: settings).run()
    } else if !environment.isAttended {
      throw Failure(
        .usage,
        """
        setup asks questions on a terminal of its own; run it in a shell, or without questions: \
        clanky-cockpit setup --url URL --profile NAME --token-stdin
        """
      )
    } else {
      try await SetupDialog(command: self, settings: settings).run()
    }
  }
}

/// What a profile is made for, as an option.
enum SetupKind: String, ExpressibleByArgument, CaseIterable {
  case clanky, openclaw, openai, elevenlabs, companion
}

/// What the secret of a gateway is, as an option.
enum GatewayAuth: String, ExpressibleByArgument, CaseIterable {
  case token, password
}

extension Configuration.Gateway.Scopes: ExpressibleByArgument {}

/// Where a token can be saved, as an option.
enum CredentialStore: String, ExpressibleByArgument, CaseIterable {
  case keyring, file

  var preference: Credentials.Preference { self == .keyring ? .keyring : .file }
}
