import LenientJSON
import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  /// The prompts that can be chosen now.
  @MainActor func sources(_ facts: ViewContext) -> [PromptSource] {
    var sources: [PromptSource] = PromptKind.allCases.map(PromptSource.live)
    if selectedCall(facts) != nil { sources.append(.call) }
    if replyRow(facts) != nil { sources.append(.reply) }
    return sources
  }

  /// The chosen prompt, or the best there is of the answer.
  @MainActor func shownSource(_ facts: ViewContext) -> PromptSource {
    if let source, source != .reply || replyRow(facts) != nil { return source }
    guard isOfSession(facts) else {
      // The reply carries the prompts of an answer whose call has none.
      let hasPrompt = callPrompt(facts)?.content.parts.isEmpty == false
      return !hasPrompt && replyRow(facts) != nil ? .reply : .call
    }
    if let state = session(facts)?.promptState {
      for kind in [PromptKind.generation, .instructions, .bridge, .classifier]
      where kind.snapshot(in: state)?.replyPrompts != nil { return .live(kind) }
    }
    return .call
  }

  /// The chosen prompt; nil if there is none.
  @MainActor func inspected(_ facts: ViewContext) -> InspectedPrompt? {
    switch shownSource(facts) {
    case .live(let kind): livePrompt(kind, facts)
    case .call: callPrompt(facts)
    case .reply: replyRow(facts).flatMap { rowPrompt($0, "reply prompts", facts) }
    }
  }

  @MainActor private func livePrompt(_ kind: PromptKind, _ facts: ViewContext) -> InspectedPrompt? {
    guard let session = session(facts) else { return nil }
    let prompts = facts.voice.brain.prompts
    let versions = prompts.versions(of: session.sessionID, kind)
    guard let newest = versions.last else { return nil }
    let index =
      version.flatMap { number in versions.firstIndex { $0.number == number } }
      ?? versions.count - 1
    let shown = versions[index]
    let previous = index > 0 ? versions[index - 1] : nil
    func owner(_ version: PromptVersion) -> String {
      "\(session.sessionID)/\(kind.rawValue)/\(version.number)"
    }
    return InspectedPrompt(
      title: PlainText(kind.rawValue), owner: owner(shown), content: shown.content,
      previousOwner: previous.map(owner), previous: previous?.content,
      previousName: previous.map { "v\($0.number)" } ?? "", number: shown.number,
      newest: newest.number, captures: shown.captures, updatedMs: shown.updatedAt?.milliseconds,
      source: shown.source, firstLength: prompts.firstLength(of: session.sessionID, kind))
  }

  /// The call's prompt, with that of the previous call for the same purpose.
  @MainActor private func callPrompt(_ facts: ViewContext) -> InspectedPrompt? {
    guard let call = selectedCall(facts), let row = facts.activity.log.row(call.row),
      var prompt = rowPrompt(row, "call", facts)
    else { return nil }
    let calls = facts.calls.calls(in: facts.activity.log, by: .time)
    let before = calls.first {
      ($0.timeMs, $0.row) < (call.timeMs, call.row) && $0.source == call.source
        && $0.kind == call.kind
    }
    if let before, let row = facts.activity.log.row(before.row),
      let parsed = facts.actions.action(for: row)
    {
      prompt.previous = PromptContent(metadata: parsed.metadata)
      prompt.previousOwner = "row/\(before.row)"
      prompt.previousName = "the call before"
    }
    prompt.source = call.source
    return prompt
  }

  @MainActor private func rowPrompt(
    _ row: ActionRowView, _ title: PlainText, _ facts: ViewContext
  ) -> InspectedPrompt? {
    guard let parsed = facts.actions.action(for: row) else { return nil }
    let id = row.actionID.map { " #\($0)" } ?? ""
    return InspectedPrompt(
      title: title + PlainText(id), owner: "row/\(row.id)",
      content: PromptContent(metadata: parsed.metadata), updatedMs: row.timeMs,
      source: parsed.metadata["source"]?.string)
  }

  /// The row that closes the selected chain, when it carries prompts.
  @MainActor func replyRow(_ facts: ViewContext) -> ActionRowView? {
    guard let chain = chain(facts)?.chain,
      let id = chain.nodes.last(where: { $0.kind == .reply || $0.kind == .skipped })?.rowID,
      let row = facts.activity.log.row(id),
      facts.actions.action(for: row)?.metadata["replyPrompts"]?.object != nil
    else { return nil }
    return row
  }
}
