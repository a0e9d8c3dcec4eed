import CockpitDomain
import TerminalCore

extension KeyAction {
  /// Whether it needs something that only a Clanky bot has: voice, memory, settings.
  package var isOfBotAlone: Bool {
    switch self {
    case .joinVoice, .refreshMemory, .purgeMemory, .runtime, .settingsPreset,
      .settingsReset, .settingsApply, .clientLog, .report, .events, .anomalies, .edit,
      .editExternally, .delete, .undo, .select, .sendHeld, .uses, .journal:
      true
    default: false
    }
  }
}

extension KeyAction {
  /// Whether it needs something that only a gateway has.
  package var isOfGatewayAlone: Bool {
    self == .chat || self == .chatToggle || self == .canvas || self == .canvasDraw
  }
}

extension KeyTable {
  /// The keys that work on a source.
  @MainActor package func working(on facts: ViewContext) -> KeyTable {
    let own = facts.sources == nil ? forOneSource : self
    let keys =
      facts.isChatServer
      ? facts.sources?.hasGateway ?? false ? own.forChatServer.withControl : own.forChatServer
      : facts.isGateway
        ? own.forGateway.inWords(of: facts.kind)
        : facts.sources?.hasGateway ?? false
          ? own.forBot.withControl : facts.sources == nil ? own.forBot : own.forBot.withFleet
    let shown = facts.hasCanvas || facts.canvas != nil ? keys : keys.withoutCanvas
    return facts.isReadOnly ? shown.withoutMutations : shown
  }

  /// The words of a gateway's keys for another source of agents.
  private func inWords(of kind: SourceKind) -> KeyTable {
    switch kind {
    case .elevenlabs: forService
    case .companion: forCompanion
    case .clanky, .openclaw, .openai: self
    }
  }

  private var forCompanion: KeyTable {
    with(help: [
      .pulse: "PULSE: messages, requests, grants as they happen",
      .voice: "VOICE: how speech goes to the gateway",
      .brain: "BRAIN: what the agent does, and what it last raised",
      .memory: "MEMORY: what the agent has drawn",
      .cmd: "CMD: session, grants, what agents may ask for",
      .triage: "what waits and what is granted; !!! revokes everything",
    ])
  }

  /// The same for a service of conversations.
  private var forService: KeyTable {
    with(help: [
      .pulse: "PULSE: conversations, tools, messages as they happen",
      .voice: "VOICE: the live conversation, its transcript and tools",
      .brain: "BRAIN: context, reasoning and tools of the conversation",
      .memory: "MEMORY: where the service keeps what its agents know",
      .cmd: "CMD: key, quota, agents, past conversations; Enter opens one",
    ])
  }

  /// The same keys with other help texts.
  private func with(help: [KeyAction: PlainText]) -> KeyTable {
    KeyTable(
      bindings: bindings.map { binding in
        var binding = binding
        binding.help = help[binding.command] ?? binding.help
        return binding
      })
  }

  /// The same for a Clanky bot: without the keys that only a gateway has.
  package var forBot: KeyTable {
    KeyTable(bindings: bindings.filter { !$0.command.isOfGatewayAlone })
  }

  /// The same for a bot that is shown beside a gateway: `!` is for both.
  private var withControl: KeyTable {
    KeyTable(
      bindings: bindings.map { binding in
        guard binding.command == .triage else { return binding }
        var binding = binding
        binding.help = Self.controlHelp
        binding.hint = "control"
        return binding
      })
  }

  /// The same for one of several bots: `!` is for all of them.
  private var withFleet: KeyTable {
    with(help: [.triage: "how each bot is, the one that is worst off on top"])
  }

  /// The same for a server that can only be talked to.
  package var forChatServer: KeyTable {
    forGateway.with(help: [
      .pulse: "PULSE: nothing for a chat server",
      .voice: "VOICE: nothing for a chat server",
      .brain: "BRAIN: nothing for a chat server",
      .memory: "MEMORY: nothing for a chat server",
      .cmd: "CMD: nothing for a chat server",
      .chat: "write to a model; Esc leaves the input",
      .triage: "what waits: nothing at a chat server",
    ])
  }

  private static let controlHelp: PlainText =
    "what waits for an answer, and what runs; !!! stops everything"

  /// The same for a gateway: without the keys that only a bot has a use for, and with its words for the others.
  package var forGateway: KeyTable {
    KeyTable(
      bindings: bindings.compactMap { binding in
        guard !binding.command.isOfBotAlone else { return nil }
        var binding = binding
        switch binding.command {
        case .chat: binding.help = "write to an agent; Esc leaves the input"
        case .chatToggle: binding.help = "show or hide the conversation"
        case .triage:
          binding.help = Self.controlHelp
          binding.hint = "control"
        case .pulse: binding.help = "PULSE: what the agents do, as it happens"
        case .voice: binding.help = "VOICE: nothing for a gateway"
        case .memory: binding.help = "MEMORY: the agents' files, and a search in them"
        case .cmd: binding.help = "CMD: agents, sessions, jobs, channels, clients; log, tools"
        case .search:
          binding.help = "search all that was recorded; in MEMORY what an agent remembers"
        case .settings: binding.help = "the settings of this profile: where each is from, change"
        case .guild: binding.help = "one agent on all tabs, or all: the line asks which"
        default: break
        }
        return binding
      })
  }
}
