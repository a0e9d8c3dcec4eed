import CockpitChat
import TerminalCore

/// How messages of a channel are answered from now on.
extension ChatDesk {
  func setModel(_ name: String?) {
    guard backend.abilities.contains(.models) else { return change(.model(name)) }
    // The history goes with each message: the conversation goes on with another model.
    list.setModel(current, to: name)
    saveList()
    say(PlainText("from now on \(name ?? "the default model") answers here", limit: 200))
  }

  func tell(_ signal: ChatSignal) {
    if let problem = backend.signal(signal) { return say(PlainText(problem, limit: 300)) }
    switch signal {
    case .typing: break
    case .context: say("the agent knows it now; it does not answer")
    case .rating(nil): say("the rating of the last answer is taken back")
    case .rating(let isGood?):
      say(isGood ? "the last answer is rated as good" : "the last answer is rated as bad")
    }
  }

  func change(_ setting: ChatSetting) {
    guard let channel = list[current] else { return }
    let key = channel.sessionKey(defaultAgent: defaultAgent())
    backend.change(setting, session: key) { [weak self] failure in
      let words: String
      switch setting {
      case _ where failure != nil: words = failure?.sentence ?? ""
      case .model(let name): words = "from now on \(name ?? "the agent's own model") answers here"
      case .thinking(let level):
        words = "thinking from now on: \(level ?? "the agent's own level")"
      }
      self?.say(PlainText(words, limit: 300))
    }
  }
}
