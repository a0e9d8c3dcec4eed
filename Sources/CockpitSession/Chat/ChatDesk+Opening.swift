import CockpitChat
import CockpitFiles
import CompanionSource
import ElevenLabsSource
import Foundation
import Networking
import OpenClawSource

extension ChatDesk {
  /// The conversations with the agents of an opened source; nil where nobody can be talked to. Those with a demo are
  /// not kept.
  package convenience init?(_ opened: OpenedSource) {
    if let server = opened.source as? ChatServerSource {
      let model = opened.settings.profile.chatServer?.model
      self.init(
        server.chat, source: opened.name,
        files: opened.settings.paths.state.map { ChatFolder(state: $0) }, clock: opened.clock,
        defaultAgent: { model }, makeKey: { UUID().uuidString.lowercased() })
      return
    }
    let isDemo = opened.settings.options.source != nil
    let state = isDemo ? nil : opened.settings.paths.state
    if let conversations = opened.source as? ConversationSource {
      let agent = conversations.live.agent
      self.init(
        conversations.chat, source: opened.name, files: state.map { ChatFolder(state: $0) },
        clock: opened.clock, defaultAgent: { agent }, makeKey: { UUID().uuidString.lowercased() })
      return
    }
    if let companion = opened.source as? CompanionSource {
      self.init(
        companion.chat, source: opened.name, files: state.map { ChatFolder(state: $0) },
        clock: opened.clock, defaultAgent: { [weak companion] in companion?.chat.agentNames.first },
        makeKey: { UUID().uuidString.lowercased() })
      return
    }
    guard let gateway = opened.source as? GatewaySource else { return nil }
    self.init(
      opened.httpChat ?? gateway.chat, source: opened.name,
      files: state.map { ChatFolder(state: $0) },
      clock: opened.clock, defaultAgent: { [weak gateway] in gateway?.chat.defaultAgent },
      makeKey: { UUID().uuidString.lowercased() })
  }
}
