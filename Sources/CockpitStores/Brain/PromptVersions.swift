package import LenientJSON
package import ClankyWire

/// The four prompts of a voice session (contract 5.2.5).
package enum PromptKind: String, CaseIterable, Hashable, Sendable {
  /// Standing instructions of the realtime provider.
  case instructions
  /// Deciding whether to reply.
  case classifier
  /// Writing the reply.
  case generation
  /// Handing text to the provider.
  case bridge

  /// This prompt of a session, as it is now.
  package func snapshot(in state: VoicePromptState) -> PromptSnapshot? {
    switch self {
    case .instructions: state.instructions
    case .classifier: state.classifier
    case .generation: state.generation
    case .bridge: state.bridge
    }
  }
}

/// One part of a prompt, which can be folded, measured and compared separately.
package struct PromptPart: Sendable {
  /// Which part.
  package enum Key: Hashable, Sendable {
    case system, user
    /// The user prompts after tool calls, from 0.
    case followup(Int)
    case tools
    /// The model's output; only in actions.
    case output
  }

  package var key: Key
  package var text: String
  /// UTF-16 units, as the backend counts characters.
  package var length: Int
  /// The number of tools, of that part.
  package var count: Int?

  package init(_ key: Key, _ text: String, count: Int? = nil) {
    self.key = key
    self.text = text
    self.count = count
    length = text.utf16.count
  }

  /// Equal byte for byte: canonical equivalence would cost a normalisation of 60 KB each time.
  package func isIdentical(to other: PromptPart) -> Bool {
    key == other.key && length == other.length && text.utf8.elementsEqual(other.text.utf8)
  }
}

/// A whole prompt in parts, with the backend's metadata.
package struct PromptContent: Sendable {
  package var parts: [PromptPart] = []
  /// Only newer backends say (contract 4.5).
  package var tiers: [PromptTier] = []

  package init(parts: [PromptPart] = [], tiers: [PromptTier] = []) {
    self.parts = parts
    self.tiers = tiers
  }

  /// The parts of a bundle that hold anything.
  package init(_ bundle: PromptBundle) {
    func add(_ key: PromptPart.Key, _ text: String?) {
      if let text, !text.isEmpty { parts.append(PromptPart(key, text)) }
    }
    add(.system, bundle.systemPrompt)
    add(.user, bundle.initialUserPrompt)
    for (index, prompt) in bundle.followupUserPrompts.enumerated() { add(.followup(index), prompt) }
    if !bundle.tools.isEmpty {
      let text = bundle.tools.map(Self.describe).joined(separator: "\n")
      parts.append(PromptPart(.tools, text, count: bundle.tools.count))
    }
    tiers = bundle.promptTiers ?? []
  }

  /// The prompts of a row, wherever its kind keeps them (contract 4.5): a bundle, or two strings
  /// beside the model's output.
  package init(metadata: JSONValue) {
    self.init()
    if let bundle = metadata["replyPrompts"].flatMap(PromptBundle.init) { self = Self(bundle) }
    func add(_ key: PromptPart.Key, _ value: JSONValue?) {
      guard let text = value?.string, !text.isEmpty, !parts.contains(where: { $0.key == key })
      else { return }
      parts.append(PromptPart(key, text))
    }
    add(.system, metadata["systemPrompt"])
    add(.user, metadata["userPrompt"] ?? metadata["lastUserContent"])
    add(.output, metadata["transcript"])
  }

  /// UTF-16 units of all parts that are sent to the model.
  package var length: Int { parts.reduce(0) { $0 + ($1.key == .output ? 0 : $1.length) } }

  package subscript(key: PromptPart.Key) -> PromptPart? { parts.first { $0.key == key } }

  func isIdentical(to other: PromptContent) -> Bool {
    parts.count == other.parts.count && tiers == other.tiers
      && zip(parts, other.parts).allSatisfy { $0.isIdentical(to: $1) }
  }

  private static func describe(_ tool: PromptTool) -> String {
    var text = tool.name ?? "?"
    if let description = tool.description, !description.isEmpty { text += ": " + description }
    if let parameters = tool.parameters?["properties"]?.object, !parameters.isEmpty {
      text += "\n  (" + parameters.members.map(\.key).joined(separator: ", ") + ")"
    }
    return text
  }
}

/// One version of a prompt.
package struct PromptVersion: Sendable {
  /// Counted from 1 within its session and kind; unaffected by dropped versions.
  package var number: Int
  /// When the backend made it; nil if it did not say.
  package var updatedAt: WireTime?
  /// Why, in the backend's words.
  package var source: String?
  package var content: PromptContent
  /// How many times in a row the backend produced this text.
  package var captures = 1
}

/// Earlier prompt versions of the live sessions, for comparison. Only changes are stored; an
/// unchanged prompt costs nothing.
package struct PromptVersions: Sendable {
  private struct Key: Hashable {
    var session: String
    var kind: PromptKind
  }

  private struct History {
    var versions: [PromptVersion] = []
    /// Lengths of all versions there ever were; the first is where growth is counted from.
    var firstLength = 0
    var lastUse = 0
  }

  /// Versions that are kept of one prompt.
  package static let limit = 20
  private let byteLimit: Int
  private var histories: [Key: History] = [:]
  private var bytes = 0
  private var clock = 0

  /// - Parameter byteLimit: for all texts together; the oldest go first, but the newest of a prompt
  ///   stays.
  package init(byteLimit: Int = 8 << 20) { self.byteLimit = byteLimit }

  /// The versions that are kept, oldest first.
  package func versions(of session: String, _ kind: PromptKind) -> [PromptVersion] {
    histories[Key(session: session, kind: kind)]?.versions ?? []
  }

  /// UTF-16 units of the first version that was ever seen.
  package func firstLength(of session: String, _ kind: PromptKind) -> Int? {
    histories[Key(session: session, kind: kind)]?.firstLength
  }

  /// Bytes of UTF-8 that are kept.
  package var byteCount: Int { bytes }

  /// Stores the prompts of all sessions that changed.
  ///
  /// - Parameter stillLive: sessions with unchanged prompts; this counts as an update.
  package mutating func note(_ state: VoiceState, stillLive: [String] = []) {
    for session in stillLive {
      clock += 1
      for kind in PromptKind.allCases {
        histories[Key(session: session, kind: kind)]?.lastUse = clock
      }
    }
    for session in state.sessions {
      for kind in PromptKind.allCases {
        guard let snapshot = kind.snapshot(in: session.promptState) else { continue }
        note(snapshot, session: session.sessionID, kind)
      }
    }
  }

  mutating func note(_ snapshot: PromptSnapshot, session: String, _ kind: PromptKind) {
    guard let bundle = snapshot.replyPrompts else { return }
    let key = Key(session: session, kind: kind)
    clock += 1
    var history = histories.removeValue(forKey: key) ?? History()
    defer {
      history.lastUse = clock
      histories[key] = history
      shrink()
    }
    let content = PromptContent(bundle)
    if let last = history.versions.last, last.content.isIdentical(to: content) {
      let index = history.versions.count - 1
      if last.updatedAt != snapshot.updatedAt {
        history.versions[index].captures += 1
        history.versions[index].updatedAt = snapshot.updatedAt
        history.versions[index].source = snapshot.source
      }
      return
    }
    let number = (history.versions.last?.number ?? 0) + 1
    if number == 1 { history.firstLength = content.length }
    history.versions.append(
      PromptVersion(
        number: number, updatedAt: snapshot.updatedAt, source: snapshot.source, content: content))
    bytes += Self.bytes(content)
    if history.versions.count > Self.limit {
      bytes -= Self.bytes(history.versions.removeFirst().content)
    }
  }

  /// Drops the oldest: first versions that nothing is compared with, then all but the newest, then
  /// whole prompts that were not updated for longest.
  private mutating func shrink() {
    while bytes > byteLimit {
      let key =
        leastUsed { $0.versions.count > 2 } ?? leastUsed { $0.versions.count > 1 }
      if let key, let oldest = histories[key]?.versions.removeFirst() {
        bytes -= Self.bytes(oldest.content)
      } else if histories.count > 1, let key = leastUsed(where: { _ in true }),
        let history = histories.removeValue(forKey: key)
      {
        bytes -= history.versions.reduce(0) { $0 + Self.bytes($1.content) }
      } else {
        return
      }
    }
  }

  private func leastUsed(where isCandidate: (History) -> Bool) -> Key? {
    histories.filter { isCandidate($0.value) }.min { $0.value.lastUse < $1.value.lastUse }?.key
  }

  private static func bytes(_ content: PromptContent) -> Int {
    content.parts.reduce(0) { $0 + $1.text.utf8.count }
  }
}
