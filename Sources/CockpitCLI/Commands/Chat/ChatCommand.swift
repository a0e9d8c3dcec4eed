import ArgumentParser
import CockpitChat
import CockpitSession
import CockpitStores
import Foundation

/// `chat`: one message to an agent, and its answer.
struct ChatCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "chat",
    abstract: "Send a message to an agent, and print its answer as it comes.",
    usage: "clanky-cockpit chat [-m TEXT] [OPTIONS]",
    discussion: """
      The agent is one of an OpenClaw gateway (a profile with kind = "openclaw"), or a model of any server that speaks \
      OpenAI's interfaces (kind = "openai"); docs/chat.md has both. The message is -m, or what stands on standard \
      input if -m is - or missing. The answer goes to standard output; tools, usage and failures go to standard \
      error. With --json each event is an object in a line of its own. Ctrl-C stops the answer on the server too.

      A gateway keeps the conversation: --session names it, --new begins one. Other servers keep none.

      Examples:
        clanky-cockpit chat -m "What is left for today?"
        git diff | clanky-cockpit chat --agent heron --new
        clanky-cockpit chat -m "What is on it?" --image jar.png
        clanky-cockpit chat --demo openclaw -m "plan the week"

      Exit codes: 0 answered, 1 the agent failed or the answer was stopped, 2 usage, or the message was not taken, \
      3 no connection, or it broke during the answer, 4 authentication, 130 ended with Ctrl-C.
      """)

  @OptionGroup var shared: SharedOptions

  @Option(
    name: [.customShort("m"), .long],
    help: ArgumentHelp("The message; - reads standard input.", valueName: "TEXT"))
  var message: String?

  @Option(help: ArgumentHelp("The agent, or the model of another server.", valueName: "NAME"))
  var agent: String?

  @Option(
    help: ArgumentHelp(
      "The conversation that a gateway keeps (default cli), or a whole session key.",
      valueName: "NAME"))
  var session: String?

  @Flag(help: "Begin a new conversation; its name is said on standard error.")
  var new = false

  @Option(
    help: ArgumentHelp(
      "How: a gateway's WebSocket, chat completions, or open responses (default: the profile's).",
      valueName: "WAY"))
  var api: ChatRoute?

  @Option(
    help: ArgumentHelp("An image that goes with the message; up to 8.", valueName: "F"),
    completion: .file())
  var image: [String] = []

  @Flag(help: "One JSON object for each event, ASCII only (docs/chat.md has the keys).")
  var json = false

  func validate() throws {
    guard !new || session == nil else {
      throw ValidationError("--new names the conversation itself; leave --session out")
    }
    if let session, !Self.isName(session) {
      throw ValidationError(
        "--session is a name of letters, digits, - and _, or a key that begins with agent:")
    }
  }

  static func isName(_ text: String) -> Bool {
    let isKey = text.hasPrefix("agent:")
    return (1...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        case UInt8(ascii: ":"), UInt8(ascii: "."): isKey
        default: false
        }
      }
  }

  @MainActor func run(in environment: Environment) async throws {
    var settings = try Settings(shared, in: environment)
    settings.mayAsk = settings.mayAsk && environment.terminals.input
    guard shared.url == nil else {
      throw Failure(.usage, "chat has the url of its profile; leave --url out")
    }
    if let reason = settings.readOnlyReason { throw Failure(.usage, reason) }
    let text = try await ChatInput.text(message, in: environment)
    let images = try image.map { try ChatInput.image($0) }
    if let problem = ChatImage.problem(images) { throw Failure(problem) }
    guard !text.isEmpty || !images.isEmpty else {
      throw Failure(.usage, "the message is empty; give it with -m, or on standard input")
    }
    let connection = try await ChatConnection.open(settings, api, in: environment)
    defer { connection.close() }
    let agent = try await connection.agent(agent)
    let name = new ? "cli-\(Self.random())" : session ?? "cli"
    if new, !json { environment.output.complain("The conversation is \(name).") }
    let turn = ChatTurn(
      agent: agent, sessionKey: Self.key(name, agent),
      message: ChatMessage(.user, text, images: images),
      history: connection.backend.abilities.contains(.serverHistory) ? .server : .client([]),
      idempotencyKey: Self.makeKey())
    try await ChatRun(environment, json: json, session: name).run(turn, on: connection)
  }

  /// `agent:<id>:cockpit-<name>-v1`
  static func key(_ name: String, _ agent: String?) -> String {
    if name.hasPrefix("agent:") { return name }
    let own = "cockpit-\(name)-v1"
    return agent.map { "agent:\($0):\(own)" } ?? own
  }

  /// A key by which a gateway takes a message once.
  static func makeKey() -> String { "cockpit-\(random())\(random())" }

  private static func random() -> String {
    String(UInt64.random(in: 1 << 60...UInt64.max), radix: 36)
  }
}

extension ChatRoute: ExpressibleByArgument {}

/// What the user gives to `chat`.
enum ChatInput {
  /// The most that is read of standard input, bytes.
  private static let limit = 1 << 20

  @MainActor
  static func text(_ given: String?, in environment: Environment) async throws(Failure) -> String {
    if let given, given != "-" { return given }
    guard environment.scope == nil else {
      throw Failure(.usage, "here the message is given with -m")
    }
    guard given == "-" || !environment.terminals.input else {
      throw Failure(.usage, "there is no message; give it with -m, or on standard input")
    }
    let read = environment.readLine
    let text: String? = await OwnThread.run {
      var lines: [String] = []
      var count = 0
      while let line = read() {
        count += line.utf8.count + 1
        guard count <= limit else { return nil }
        lines.append(line)
      }
      return lines.joined(separator: "\n")
    }
    guard let text else {
      throw Failure(.usage, "standard input has more than 1 MiB; send a part of it")
    }
    return text
  }

  static func image(_ path: String) throws(Failure) -> ChatImage {
    let bytes = try NamedFile(path, use: "--image names a PNG, JPEG, GIF or WebP image")
      .bytes(limit: ChatImage.maxTotalBytes)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let type = ChatImage.mimeType(of: bytes) else {
      throw Failure(.usage, "'\(name)' is no PNG, JPEG, GIF or WebP image; convert it first")
    }
    return ChatImage(name: name, mimeType: type, bytes: bytes)
  }
}
