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

  /// Their names, for completion and help.
  static let names = [
    "/new", "/agent", "/attach", "/retry", "/abort", "/copy", "/export", "/channel",
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
    default: return nil
    }
  }
}
