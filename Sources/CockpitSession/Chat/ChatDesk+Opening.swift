import CockpitChat
import CockpitFiles
import Foundation
import Networking
import OpenClawSource

extension ChatDesk {
  /// The conversations with the agents of an opened source; nil where nobody can be talked to. Those with a demo are
  /// not kept.
  package convenience init?(_ opened: OpenedSource) {
    guard let gateway = opened.source as? GatewaySource else { return nil }
    let isDemo = opened.settings.options.source != nil
    let state = isDemo ? nil : opened.settings.paths.state
    self.init(
      gateway.chat, source: opened.name, files: state.map { ChatFolder(state: $0) },
      clock: opened.clock, defaultAgent: { [weak gateway] in gateway?.chat.defaultAgent },
      makeKey: { UUID().uuidString.lowercased() })
  }
}
