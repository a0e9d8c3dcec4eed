import CockpitAnswers
import CockpitStores
import TerminalCore
import TerminalUI

/// A tab of a gateway. It shows no rows of an answer, so the selected answer does not concern it.
package protocol GatewayTab: TabPane {}

extension GatewayTab {
  @MainActor package func explained(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> [ExplainedName] { [] }

  @MainActor package func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key? { nil }

  @MainActor package mutating func stand(
    on answer: SelectedAnswer, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] { [] }

  package mutating func letGo() {}
}
