import CockpitStores
import TerminalCore

/// Mouse targets of BRAIN.
package enum BrainTarget: Hashable, Sendable {
  case panel(BrainPanel)
  /// A live session, by its id.
  case session(String)
  case source(BrainPromptSource)
  case call(BrainCallID)
  /// The order of the calls; pressing it selects the next one, and after the last groups them.
  case order
  /// A line of the prompt, counted from the top of its content.
  case promptLine(Int)
  case detailLine(Int)
  case fact(Int)
}

/// The parts of BRAIN that can have the focus.
package enum BrainPanel: Int, CaseIterable, Hashable, Sendable {
  case calls, prompt, chain, budget, facts, context

  var title: PlainText {
    switch self {
    case .calls: "llm calls"
    case .prompt: "prompt"
    case .chain: "tool chain"
    case .budget: "context budget"
    case .facts: "facts used"
    case .context: "generation context"
    }
  }
}

/// A line of the calls: a call, or the heading of a model.
package enum BrainCallID: Hashable, Sendable {
  case row(RowID)
  case model(String?)
}

/// The content of a line in the calls panel.
enum BrainCallLine {
  case model(LlmModelGroup)
  case call(LlmCall)

  var id: BrainCallID {
    switch self {
    case .model(let group): .model(group.model)
    case .call(let call): .row(call.row)
    }
  }
}

/// The origin of the inspected prompt.
package enum BrainPromptSource: Hashable, Sendable {
  /// A prompt of the live session.
  case live(PromptKind)
  /// The selected call.
  case call
  /// The row that closes the call's chain: the bundle of a reply.
  case reply
}

/// The content of BRAIN's side panel.
package enum BrainSide: Hashable, Sendable {
  case prompt, detail
  /// The wire's own words for a panel's content.
  case raw(BrainPanel)
}

/// A foldable part of a prompt.
package enum PromptSection: Hashable, Sendable {
  case part(PromptPart.Key)
  case tiers
}
