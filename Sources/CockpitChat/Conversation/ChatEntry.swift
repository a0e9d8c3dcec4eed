/// One message of a transcript, with what came of it.
package struct ChatEntry: Hashable, Sendable, Identifiable {
  package enum Author: String, Hashable, Sendable {
    case user, agent
    /// A new conversation began here.
    case session
  }

  /// Counts up in a transcript.
  package let id: Int
  package var author: Author
  /// ms since 1970 by this device's clock.
  package var atMs: Int64
  /// The whole text so far. A session's is its version.
  package private(set) var text: String
  /// The same in pieces that can be laid out one by one.
  package private(set) var markdown = MarkdownText()
  /// How often the text was replaced: what was laid out before is wrong.
  package private(set) var replacements = 0
  /// Names of the images that went with it.
  package var images: [String] = []
  /// Names the run in the feed.
  package var run: String?
  package var model: String?
  /// What the agent does before its first text.
  package var phase: String?
  /// The end of what the model thinks.
  package private(set) var thinking = ""
  package var tools: [ChatTool] = []
  package var usage: ChatUsage?
  /// Nil while it is under way; always nil for what the user wrote.
  package var end: ChatEnd?
  package var durationMs: Int?
  /// Of the user's message: the same for each attempt.
  package var idempotencyKey: String?

  /// Bytes of an answer that are kept.
  package static let textLimit = 8 << 20
  private static let thinkingLimit = 4_000
  private static let toolLimit = 1_000
  /// Whether the text was longer than is kept.
  package private(set) var isCut = false

  package init(id: Int, _ author: Author, atMs: Int64, text: String = "") {
    self.id = id
    self.author = author
    self.atMs = atMs
    self.text = ""
    append(text)
  }

  /// Whether the answer is still coming.
  package var isUnderWay: Bool { author == .agent && end == nil }

  package mutating func append(_ more: String) {
    guard !more.isEmpty else { return }
    let room = Self.textLimit - text.utf8.count
    guard more.utf8.count > room else {
      text += more
      if author != .session { markdown.append(more) }
      return
    }
    isCut = true
    guard room > 0 else { return }
    let kept = String(decoding: more.utf8.prefix(room), as: UTF8.self)
    text += kept
    markdown.append(kept)
  }

  package mutating func replace(with new: String) {
    text = ""
    markdown = MarkdownText()
    isCut = false
    replacements += 1
    append(new)
  }

  mutating func think(_ more: String) {
    thinking = String((thinking + more.suffix(Self.thinkingLimit)).suffix(Self.thinkingLimit))
  }

  mutating func note(_ tool: ChatTool) {
    if let place = tools.lastIndex(where: { $0.id == tool.id }) {
      tools[place] = tool
    } else if tools.count < Self.toolLimit {
      tools.append(tool)
    }
  }

  /// Together from start to end, as far as they are known.
  package var toolMs: Int? {
    let known = tools.compactMap(\.durationMs)
    return known.isEmpty ? nil : known.reduce(0) { $0.adding($1) }
  }
}

extension Int {
  /// The sum, or the largest number: a server may send any.
  func adding(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? (other > 0 ? .max : .min) : sum
  }
}
