package import ElevenLabsWire
package import Networking

/// What is known of the account beside its rows, each with the time of its reading, ms since 1970.
package struct ServicePicture: Sendable {
  package struct Read<Value: Sendable>: Sendable {
    package var value: Value?
    package var atMs: Int64?
    /// Why the last attempt failed.
    package var problem: String?

    mutating func take(_ result: Result<Value, ServiceClient.Problem>, atMs ms: Int64) {
      switch result {
      case .success(let value): (self.value, atMs, problem) = (value, ms, nil)
      case .failure(let failure): problem = failure.sentence
      }
    }
  }

  package var subscription = Read<Subscription>()
  package var agents = Read<[ServiceAgent]>()
  package var conversations = Read<ConversationPage>()
  package var network: NetworkKind = .unknown

  package init() {}

  /// The name of an agent, as far as it is known.
  package func name(of agent: String) -> String {
    agents.value?.first { $0.id == agent }?.name ?? agent
  }
}
