import CockpitChat

/// A command typed into the chat's input. Other text that begins with a slash is the agent's.
enum SlashCommand: Hashable, Sendable {
  case new
  /// Nil asks which.
  case agent(String?)
  /// Nil lists them.
  case channel(String?)
  /// Nil takes all attachments back.
  case attach(String?)
  case retry
  case abort
  case copyAnswer
  /// A code block of the answer, counted from 1; nil is the last.
  case copyCode(Int?)
  case export(String?)
  /// Nil asks what there is.
  case model(String?)
  case think(String?)
  /// Nil lists what is queued.
  case queue(String?)
  case sendQueued
  /// Counted from 1; nil drops all.
  case dropQueued(Int?)
  case help

  /// Their names, for completion and help.
  static let names = [
    "/new", "/agent", "/attach", "/retry", "/abort", "/copy", "/export", "/channel",
    "/model", "/think", "/queue", "/help",
  ]

  init?(_ text: String) {
    guard text.hasPrefix("/"), !text.contains("\n") else { return nil }
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard let name = words.first else { return nil }
    let rest = words.count > 1 ? String(words[1].drop { $0 == " " }) : ""
    let argument = rest.isEmpty ? nil : rest
    switch name {
    case "/new" where argument == nil: self = .new
    case "/agent": self = .agent(argument)
    case "/channel": self = .channel(argument)
    case "/attach": self = .attach(argument)
    case "/retry" where argument == nil: self = .retry
    case "/abort" where argument == nil: self = .abort
    case "/copy" where argument == nil: self = .copyAnswer
    case "/copy":
      let parts = rest.split(separator: " ")
      guard parts.first == "code", parts.count < 3 else { return nil }
      guard parts.count == 2 else {
        self = .copyCode(nil)
        return
      }
      guard let number = Int(parts[1]), number > 0 else { return nil }
      self = .copyCode(number)
    case "/export": self = .export(argument)
    case "/model": self = .model(argument)
    case "/think": self = .think(argument)
    case "/queue": self = Self.queueCommand(rest)
    case "/help" where argument == nil: self = .help
    default: return nil
    }
  }

  private static func queueCommand(_ rest: String) -> SlashCommand {
    let words = rest.split(separator: " ")
    switch words.first {
    case nil: return .queue(nil)
    case "send" where words.count == 1: return .sendQueued
    case "drop" where words.count == 1: return .dropQueued(nil)
    case "drop":
      guard words.count == 2, let number = Int(words[1]), number > 0 else { return .queue(rest) }
      return .dropQueued(number)
    default: return .queue(rest)
    }
  }

  /// What `/help` lists.
  static let summary: [(command: String, text: String)] = [
    ("/new", "a new conversation; the old one stays in the file"),
    ("/agent [ID]", "another agent, which begins a new session"),
    ("/model NAME", "another model; 'default' is the agent's own"),
    ("/think LEVEL", "how long it thinks, such as low; 'default' is its own"),
    ("/channel [NAME]", "another channel, or the list of them"),
    ("/attach PATH", "attaches an image to the next message"),
    ("/queue TEXT", "a message for after the answer under way"),
    ("/queue", "what is queued; /queue send, /queue drop [N]"),
    ("/retry", "sends the last message again"),
    ("/abort", "stops the answer under way"),
    ("/copy [code [N]]", "the answer, or a code block of it"),
    ("/export [PATH]", "the conversation as a Markdown file"),
  ]
}

extension ChatSignal {
  /// A command of a conversation whose server takes notes; for all others such text is the agent's.
  init?(command text: String) {
    let context = "/context "
    switch text {
    case "/like": self = .rating(isGood: true)
    case "/dislike": self = .rating(isGood: false)
    case "/unrate": self = .rating(isGood: nil)
    case _
    where text.hasPrefix(context) && !text.dropFirst(context.count).allSatisfy(\.isWhitespace):
      self = .context(String(text.dropFirst(context.count)))
    default: return nil
    }
  }

  /// What `/help` lists of them.
  static let summary: [(command: String, text: String)] = [
    ("/context TEXT", "what the agent shall know; it does not answer"),
    ("/like, /dislike", "rates the last answer; /unrate takes that back"),
  ]
}
