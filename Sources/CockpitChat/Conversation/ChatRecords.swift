internal import LenientJSON

/// A conversation as lines of JSON, which are only ever added: a user's message, an ended answer, a new session.
///
/// A line has at most some 700 kB: long texts are in several, each but the last a `part`.
package enum ChatRecords {
  /// Bytes of text in one line; as escapes they take up to six times as many.
  private static let pieceLimit = 100_000

  private static let kinds: [(kind: ChatFailure.Kind, word: String)] = [
    (.connection, "connection"), (.authentication, "authentication"), (.request, "request"),
    (.unsupported, "unsupported"), (.agent, "agent"), (.rateLimit, "rateLimit"),
  ]

  /// The lines of an entry, without line ends. An answer under way has none yet.
  package static func lines(of entry: ChatEntry) -> [[UInt8]] {
    guard !entry.isUnderWay else { return [] }
    var pieces = pieces(of: entry.text)
    let last = pieces.removeLast()
    var lines = pieces.map { piece in
      var line = JSONObjectWriter(capacity: piece.utf8.count + 64)
      line.string("kind", "part")
      line.string("text", piece)
      return line.finish()
    }
    var line = JSONObjectWriter(capacity: last.utf8.count + 400)
    line.string("kind", entry.author.rawValue)
    line.int("atMs", Int(entry.atMs))
    if !pieces.isEmpty { line.int("parts", pieces.count) }
    line.string("text", last)
    if !entry.images.isEmpty { line.value("images", .array(entry.images.map { .string($0) })) }
    if let key = entry.idempotencyKey { line.string("key", key) }
    if entry.author == .agent { add(answer: entry, to: &line) }
    lines.append(line.finish())
    return lines
  }

  private static func add(answer entry: ChatEntry, to line: inout JSONObjectWriter) {
    if let run = entry.run { line.string("run", run) }
    if let model = entry.model { line.string("model", model) }
    if let ms = entry.durationMs { line.int("durationMs", ms) }
    if !entry.tools.isEmpty {
      line.value(
        "tools",
        .array(
          entry.tools.map { tool in
            .body([
              ("id", .string(tool.id)), ("name", .string(tool.name)),
              ("state", .string(tool.state.rawValue)),
              ("ms", tool.durationMs.map { .integer($0) }),
            ])
          }))
    }
    if let usage = entry.usage {
      line.value(
        "usage",
        .body([
          ("input", usage.inputTokens.map { .integer($0) }),
          ("output", usage.outputTokens.map { .integer($0) }),
          ("total", usage.totalTokens.map { .integer($0) }),
          ("costUSD", usage.costUSD.flatMap { .finite($0) }),
        ]))
    }
    switch entry.end {
    case .completed?, nil: line.string("end", "completed")
    case .aborted?: line.string("end", "aborted")
    case .failed(let failure)?:
      line.string("end", "failed")
      line.string("failure", failure.sentence)
      line.string("failureKind", kinds.first { $0.kind == failure.kind }?.word)
    }
  }

  private static func pieces(of text: String) -> [String] {
    guard text.utf8.count > pieceLimit else { return [text] }
    var pieces: [String] = []
    var piece = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars {
      let count = UTF8.width(scalar)
      if bytes + count > pieceLimit {
        pieces.append(String(piece))
        piece.removeAll(keepingCapacity: true)
        bytes = 0
      }
      piece.append(scalar)
      bytes += count
    }
    return pieces + [String(piece)]
  }

  /// The conversation in these lines. A torn line or an unknown record costs itself, and is counted. A message
  /// without its answer stays: the program ended in between.
  package static func transcript(_ lines: [[UInt8]], version: Int) -> ChatTranscript {
    var transcript = ChatTranscript(version: version)
    var parts: [String] = []
    for line in lines {
      guard let value = try? JSONValue.parse(line), let kind = value["kind"]?.string,
        let text = value["text"]?.string
      else {
        transcript.unreadable += 1
        continue
      }
      guard kind != "part" else {
        parts.append(text)
        continue
      }
      defer { parts = [] }
      guard let author = ChatEntry.Author(rawValue: kind) else {
        transcript.unreadable += 1
        continue
      }
      // Parts of a record that never came to its end are left out.
      let count = min(max(0, value["parts"]?.int ?? 0), parts.count)
      if parts.count > count || count < value["parts"]?.int ?? 0 { transcript.unreadable += 1 }
      let whole = parts.suffix(count).joined() + text
      let place = transcript.restore(
        author, atMs: Int64(value["atMs"]?.int ?? 0), text: whole)
      transcript.change(at: place) { entry in
        entry.images = (value["images"]?.array ?? []).compactMap(\.string)
        entry.idempotencyKey = value["key"]?.string
        if author == .agent { read(answer: value, into: &entry) }
      }
    }
    if !parts.isEmpty { transcript.unreadable += 1 }
    return transcript
  }

  private static func read(answer value: JSONValue, into entry: inout ChatEntry) {
    entry.run = value["run"]?.string
    entry.model = value["model"]?.string
    entry.durationMs = value["durationMs"]?.int
    entry.tools = (value["tools"]?.array ?? []).compactMap { tool in
      guard let id = tool["id"]?.string, let name = tool["name"]?.string else { return nil }
      return ChatTool(
        id: id, name: name,
        state: tool["state"]?.string.flatMap(ChatTool.State.init(rawValue:)) ?? .unknown,
        durationMs: tool["ms"]?.int)
    }
    if let usage = value["usage"] {
      entry.usage = ChatUsage(
        inputTokens: usage["input"]?.int, outputTokens: usage["output"]?.int,
        totalTokens: usage["total"]?.int, costUSD: usage["costUSD"]?.double)
    }
    switch value["end"]?.string {
    case "completed": entry.end = .completed
    case "aborted": entry.end = .aborted
    default:
      entry.end = .failed(
        ChatFailure(
          kinds.first { $0.word == value["failureKind"]?.string }?.kind ?? .agent,
          value["failure"]?.string ?? "how this answer ended is not known"))
    }
  }
}
