package import ClankyWire

/// A group of settings by what a person looks for; the document itself is grouped by how the bot is built.
package enum SettingSection: String, CaseIterable, Hashable, Sendable {
  case persona, permissions, replies, models, voice, memory, research, initiative, discovery
  case vision, music, automations, codeAgents, minecraft
  /// Settings that the tables do not know.
  case other

  package var title: String {
    switch self {
    case .persona: "persona and prompts"
    case .permissions: "channels and permissions"
    case .replies: "replies and activity"
    case .models: "models and providers"
    case .voice: "voice"
    case .memory: "memory"
    case .research: "research and browser"
    case .initiative: "initiative"
    case .discovery: "discovery and media"
    case .vision: "vision and screens"
    case .music: "music"
    case .automations: "automations"
    case .codeAgents: "code agents"
    case .minecraft: "Minecraft"
    case .other: "not known here"
    }
  }

  /// What is in it, one sentence.
  package var sentence: String {
    switch self {
    case .persona: "Who the bot is, and the texts that stand in its prompts."
    case .permissions: "Where and to whom it may speak, in text and in voice."
    case .replies: "How readily and how often it writes, and what it does after a start."
    case .models: "Which models and providers it uses, and what they cost."
    case .voice: "Voice sessions: vendor, voice, recogniser, conversation and limits."
    case .memory: "What it remembers, and how it reflects on it."
    case .research: "Search of the web, and the browser."
    case .initiative: "What it does of its own accord, in text and in voice."
    case .discovery: "Sources of links, pictures, videos and GIFs."
    case .vision: "Pictures, videos and shared screens that it looks at."
    case .music: "Music in voice."
    case .automations: "Scheduled tasks."
    case .codeAgents: "Coding workers: who may start them, where, and with which model."
    case .minecraft: "Minecraft play."
    case .other: "Settings of a release that this program does not know."
    }
  }

  /// The beginnings of paths; the longest one that fits counts.
  private static let beginnings: [(path: [String], section: SettingSection)] = [
    (["identity"], .persona), (["persona"], .persona), (["prompting"], .persona),
    (["permissions"], .permissions), (["permissions", "devTasks"], .codeAgents),
    (["interaction"], .replies), (["interaction", "replyGeneration"], .models),
    (["agentStack"], .models), (["agentStack", "runtimeConfig"], .models),
    (["agentStack", "overrides"], .models), (["agentStack", "overrides", "devTeam"], .codeAgents),
    (["agentStack", "runtimeConfig", "research"], .research),
    (["agentStack", "runtimeConfig", "browser"], .research),
    (["agentStack", "runtimeConfig", "voice"], .voice),
    (["agentStack", "runtimeConfig", "devTeam"], .codeAgents),
    (["agentStack", "runtimeConfig", "minecraft"], .minecraft),
    (["memory"], .memory), (["memoryLlm"], .memory),
    (["initiative"], .initiative), (["initiative", "discovery"], .discovery),
    (["voice"], .voice), (["voice", "channelPolicy"], .permissions),
    (["voice", "streamWatch"], .vision), (["media"], .vision), (["music"], .music),
    (["automations"], .automations),
  ]

  private static func beginning(of path: SettingPath) -> (path: [String], section: SettingSection)?
  {
    beginnings.filter { path.keys.starts(with: $0.path) }
      .max { $0.path.count < $1.path.count }
  }

  /// The section of a path, known to the tables or not.
  package init(of path: SettingPath) { self = Self.beginning(of: path)?.section ?? .other }

  /// How many keys of a path its section says already.
  package static func depth(of path: SettingPath) -> Int {
    beginning(of: path)?.path.count ?? 0
  }
}
