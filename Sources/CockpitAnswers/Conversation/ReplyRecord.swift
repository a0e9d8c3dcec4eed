internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// What the row of a text reply, a post or a silence says about how it came about. Texts are untrusted.
package struct ReplyRecord: Hashable, Sendable {
  /// Whether the message was meant for the bot, as the backend judged it; nil where the row does not say.
  package struct Addressing: Hashable, Sendable {
    package var isTriggered: Bool?
    package var isDirect: Bool?
    package var isInferred: Bool?
    package var reason: String?
    /// 0 to 1.
    package var confidence: Double?
    package var threshold: Double?
    /// Who judged: `llm`, `direct`, `exact_name` …
    package var source: String?
  }

  /// A tool that was used or asked for, with what it brought.
  package struct Tool: Hashable, Sendable {
    /// The member of the row, such as `webSearch`.
    package var key: String
    package var wasUsed: Bool
    package var query: String?
    package var results: [Result] = []
    /// How many there were, as the row counts.
    package var resultCount: Int?
    package var provider: String?
    /// Members that say why it was not used, such as `blockedByDailyCap`.
    package var blocks: [String] = []
    package var error: String?
  }

  package struct Result: Hashable, Sendable {
    package var title: String
    package var detail: String?
    package var url: String?
  }

  /// Prompts of the row.
  package struct Prompts: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
      /// `user`, `follow-up`, `system`.
      package var name: String
      /// Cut at `maxText` characters.
      package var text: String
      /// Length of the whole, in characters.
      package var count: Int
    }

    /// The message's own first: what the bot was asked.
    package var parts: [Part]
    /// Number of tools that were offered.
    package var tools: Int

    static let maxText = 20_000
  }

  package var kind: String
  package var timeMs: Int64
  package var guildID: String?
  package var channelID: String?
  package var content: String?
  package var triggerID: String?
  /// Who wrote the message, and its words; from the prompt.
  package var author: String?
  package var words: String?
  package var addressing: Addressing?
  package var tools: [Tool] = []
  package var provider: String?
  package var model: String?
  package var inputTokens: Int?
  package var outputTokens: Int?
  package var cacheReadTokens: Int?
  /// US dollars, of the row's own calls.
  package var costUSD: Double?
  /// Durations in ms by the wire's keys; what did not happen is left out.
  package var phases: [(key: String, ms: Int)] {
    StepNames.text.compactMap { key, _ in durations[key].map { (key, $0) } }
  }
  private var durations: [String: Int] = [:]
  package var totalMs: Int?
  package var prompts: Prompts?

  /// Why there was no reply, in words; nil for a reply.
  package var silence: String? { kind == "reply_skipped" ? WhyWords.words(content) : nil }

  package init(_ row: ExchangeRow) {
    kind = row.kind
    timeMs = row.timeMs
    guildID = row.guildID
    channelID = row.channelID
    content = row.content
    triggerID = row.triggers.first
    for prompt in row.prompts where words == nil {
      guard let found = TriggerWords(prompt: prompt) else { continue }
      author = found.author
      words = found.words
    }
    let metadata = row.metadata
    if let judged = metadata["addressing"] ?? metadata["addressSignal"], judged.object != nil {
      addressing = Addressing(
        isTriggered: judged["triggered"]?.bool, isDirect: judged["direct"]?.bool,
        isInferred: judged["inferred"]?.bool, reason: judged["reason"]?.text,
        confidence: judged["confidence"]?.double, threshold: judged["threshold"]?.double,
        source: judged["confidenceSource"]?.text)
    }
    tools = Self.toolKeys.compactMap { Tool($0, metadata[$0]) }
    let llm = metadata["llm"]
    provider = llm?["provider"]?.text
    model = llm?["model"]?.text
    let usage = llm?["usage"]
    inputTokens = usage?["inputTokens"]?.int
    outputTokens = usage?["outputTokens"]?.int
    cacheReadTokens = usage?["cacheReadTokens"]?.int
    costUSD = llm?["costUsd"]?.double
    if let performance = metadata["performance"], performance.object != nil {
      totalMs = Self.duration(performance["totalMs"])
      for (key, _) in StepNames.text {
        // A phase that did not happen is 0 on the wire.
        if let ms = Self.duration(performance[key]), ms > 0 { durations[key] = ms }
      }
    }
    if let bundle = metadata["replyPrompts"], bundle.object != nil {
      let followups = bundle["followupUserPrompts"]?.array ?? []
      let texts =
        [("user", bundle["initialUserPrompt"]?.string)]
        + followups.map { ("follow-up", $0.string) } + [("system", bundle["systemPrompt"]?.string)]
      prompts = Prompts(
        parts: texts.compactMap { name, text in
          text.map { .init(name: name, text: String($0.prefix(Prompts.maxText)), count: $0.count) }
        }, tools: bundle["tools"]?.array?.count ?? 0)
    }
  }

  private static func duration(_ value: JSONValue?) -> Int? {
    // The wire's odd values of the size of the clock are none.
    value?.int.flatMap { $0 >= 0 && $0 < 86_400_000 ? $0 : nil }
  }

  private static let toolKeys = [
    "webSearch", "memory", "imageLookup", "image", "videoGeneration", "gif", "toolImages", "video",
    "reaction", "screenShareOffer",
  ]
}

extension ReplyRecord.Tool {
  /// nil if it was neither used nor asked for.
  fileprivate init?(_ key: String, _ value: JSONValue?) {
    guard let value, let object = value.object else { return nil }
    let asked = ["requested", "requestedByModel", "toolCallsUsed", "started", "intentRequested"]
    let wasAsked = asked.contains { value[$0]?.bool == true }
    wasUsed = ["used", "toolCallsUsed", "started"].contains { value[$0]?.bool == true }
    error = value["error"]?.text
    guard wasAsked || wasUsed || error != nil else { return nil }
    self.key = key
    query = value["query"]?.text ?? value["emoji"]?.text
    resultCount = value["resultCount"]?.int
    provider = value["providerUsed"]?.text
    blocks = object.members.filter {
      ($0.key.hasPrefix("blockedBy") || $0.key == "optedOutByUser") && $0.value.bool == true
    }.map(\.key)
    results = (value["results"]?.array ?? []).prefix(50).compactMap { result in
      let title =
        result["title"]?.text ?? result["fact"]?.text ?? result["filename"]?.text
        ?? result["url"]?.text
      return title.map {
        .init(
          title: $0,
          detail: result["domain"]?.text ?? result["subject"]?.text ?? result["authorName"]?.text,
          url: result["url"]?.text)
      }
    }
    if key == "screenShareOffer", let link = value["linkUrl"]?.text {
      results.append(.init(title: link, detail: nil, url: link))
    }
  }
}

extension JSONValue {
  /// A text that is not empty.
  fileprivate var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }
}
