import ArgumentParser
import CockpitChat
import CockpitSession
import CockpitStores
import CockpitVoice
import VoicePipeline

/// `ptt`: one spoken message to an agent, for a hot key.
struct PttCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "ptt",
    abstract: "Say something to an agent: record, transcribe, send, read the answer aloud.",
    usage: "clanky-cockpit ptt [OPTIONS]",
    discussion: """
      Records until you stop speaking, or until Ctrl-C or SIGTERM, which a hot key sends when it is let go. What was \
      understood goes to standard error, the answer to standard output, and the answer is read aloud unless --quiet \
      says otherwise. Microphone, transcription and voice are those of [voice] in the configuration; \
      docs/voice-chat.md has an example. A second Ctrl-C, or one during the answer, stops everything.

      Examples:
        clanky-cockpit ptt
        clanky-cockpit ptt --agent heron --quiet
        clanky-cockpit ptt --demo openclaw

      Exit codes: 0 answered, 1 nothing was heard or understood, or the agent failed, 2 usage or configuration, \
      3 no connection, 4 authentication, 130 stopped with Ctrl-C.
      """)

  @OptionGroup var shared: SharedOptions

  @Option(help: ArgumentHelp("The agent, or the model of another server.", valueName: "NAME"))
  var agent: String?

  @Option(
    help: ArgumentHelp(
      "The conversation that a gateway keeps (default ptt), or a whole session key.",
      valueName: "NAME"))
  var session: String?

  @Option(
    help: ArgumentHelp(
      "How: a gateway's WebSocket, chat completions, or open responses (default: the profile's).",
      valueName: "WAY"))
  var api: ChatRoute?

  @Flag(help: "Do not read the answer aloud.")
  var quiet = false

  @Flag(help: "One JSON object for each event, ASCII only (docs/voice-chat.md has the keys).")
  var json = false

  func validate() throws {
    if let session, !ChatCommand.isName(session) {
      throw ValidationError(
        "--session is a name of letters, digits, - and _, or a key that begins with agent:")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    guard shared.url == nil else {
      throw Failure(.usage, "ptt has the url of its profile; leave --url out")
    }
    guard environment.scope == nil else {
      throw Failure(.usage, "ptt is for a shell or a hot key; in the cockpit C-t talks")
    }
    if let reason = settings.readOnlyReason { throw Failure(.usage, reason) }
    guard var voice = settings.voice else {
      throw Failure(
        .usage,
        "ptt needs [voice] in the configuration: stt = [\"whisper\"] and a service of that name; docs/voice-chat.md has an example"
      )
    }
    if quiet { voice.speaks = false }
    let run = try PttRun(settings, voice, in: environment, json: json)
    defer { run.close() }
    let text = try await run.listen()
    let connection = try await ChatConnection.open(settings, api, in: environment)
    defer { connection.close() }
    let agent = try await connection.agent(agent)
    let name = session ?? "ptt"
    var turn = ChatTurn(
      agent: agent, sessionKey: ChatCommand.key(name, agent), message: ChatMessage(.user, text),
      history: .server, idempotencyKey: ChatCommand.makeKey())
    turn.isSpoken = true
    try await run.ask(turn, on: connection, session: name)
  }
}
