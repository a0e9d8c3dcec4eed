package import CockpitDomain
internal import Foundation
package import LenientJSON

/// A file of an agent. Text in it is remote.
package struct GatewayFile: Hashable, Sendable {
  package var name: String
  package var path: String?
  /// The gateway looks for it and it is not there.
  package var isMissing: Bool
  /// Bytes.
  package var size: Int?
  package var updatedMs: Int64?
  /// The MIME type, as sent.
  package var type: String?
  /// nil in a list, and for a file that is no text.
  package var text: String?

  init?(_ value: JSONValue) {
    guard let name = value["name"]?.string ?? value["path"]?.string else { return nil }
    self.name = name
    path = value["path"]?.string
    isMissing = value["missing"]?.bool ?? false
    size = value["size"]?.int
    updatedMs = value["updated_ms"]?.int.map(Int64.init)
    type = value["type"]?.string
    text = value["text"]?.string
  }
}

/// A folder of an agent's workspace. Text in it is remote.
package struct GatewayFolder: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var name: String
    /// In the workspace.
    package var path: String
    package var isFolder: Bool
    /// Bytes.
    package var size: Int?
    package var updatedMs: Int64?
  }

  package var entries: [Entry]
  /// Entries that the folder has, of which the first are in `entries`.
  package var total: Int

  init?(_ value: JSONValue) {
    guard let list = value["entries"]?.array else { return nil }
    entries = list.compactMap { entry in
      guard let path = entry["path"]?.string else { return nil }
      return Entry(
        name: entry["name"]?.string ?? path, path: path,
        isFolder: entry["folder"]?.bool ?? false, size: entry["size"]?.int,
        updatedMs: entry["updated_ms"]?.int.map(Int64.init))
    }
    total = max(value["total"]?.int ?? 0, entries.count)
  }
}

/// What a search in the memory of an agent found. Text in it is remote.
package struct GatewaySearch: Hashable, Sendable {
  package struct Hit: Hashable, Sendable {
    package var path: String
    /// Counted from 1.
    package var start: Int?
    package var end: Int?
    package var score: Double?
    package var snippet: String
    /// `memory` or `sessions`, as sent.
    package var origin: String?
  }

  package var hits: [Hit]
  /// Why the gateway could not search, in its words.
  package var problem: String?
  /// How it searches instead, in its words, such as `keyword-only`.
  package var degraded: String?

  init?(_ value: JSONValue) {
    guard let list = value["hits"]?.array else { return nil }
    hits = list.compactMap { hit in
      guard let path = hit["path"]?.string else { return nil }
      return Hit(
        path: path, start: hit["start"]?.int, end: hit["end"]?.int, score: hit["score"]?.double,
        snippet: hit["snippet"]?.string ?? "", origin: hit["origin"]?.string)
    }
    problem = value["problem"]?.string
    degraded = value["degraded"]?.string
  }
}

/// A device that runs commands for a gateway. Text in it is remote.
package struct GatewayNode: Hashable, Sendable {
  package var id: String
  package var name: String?
  package var platform: String?
  package var version: String?
  package var model: String?
  package var address: String?
  /// nil if the gateway does not say.
  package var isConnected: Bool?
  package var isPaired: Bool?
  package var capabilities: [String]
  package var commands: [String]
  package var connectedMs: Int64?
  package var seenMs: Int64?

  init?(_ value: JSONValue) {
    guard let id = value["id"]?.string else { return nil }
    self.id = id
    name = value["name"]?.string
    platform = value["platform"]?.string
    version = value["version"]?.string
    model = value["model"]?.string
    address = value["address"]?.string
    isConnected = value["connected"]?.bool
    isPaired = value["paired"]?.bool
    capabilities = (value["caps"]?.array ?? []).compactMap(\.string)
    commands = (value["commands"]?.array ?? []).compactMap(\.string)
    connectedMs = value["connected_ms"]?.int.map(Int64.init)
    seenMs = value["seen_ms"]?.int.map(Int64.init)
  }
}

/// The end of a gateway's log, as far as it was read. Text in it is remote.
package struct GatewayLog: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    /// Counts the lines that were read.
    package var number: Int
    /// As written.
    package var time: String?
    package var level: String?
    /// The part of the gateway that wrote it.
    package var part: String?
    package var text: String
  }

  package static let maximumLines = 2_000
  package var file: String?
  /// The oldest first.
  package var lines: [Line] = []
  /// Whether lines between two reads, or before the first, are not here.
  package var isCut = false

  /// Adds what a read has brought.
  mutating func take(_ value: JSONValue) {
    let isNew = value["reset"]?.bool == true
    let isCutNow = value["truncated"]?.bool == true
    // The first lines of a log that is read anew are cut when the log is longer.
    isCut = isNew ? isCutNow : isCut || isCutNow
    if isNew { lines = [] }
    file = value["file"]?.string ?? file
    var number = (lines.last?.number ?? -1) + 1
    for line in value["lines"]?.array ?? [] {
      lines.append(
        Line(
          number: number, time: line["time"]?.string, level: line["level"]?.string,
          part: line["part"]?.string, text: line["text"]?.string ?? ""))
      number += 1
    }
    if lines.count > Self.maximumLines {
      lines.removeFirst(lines.count - Self.maximumLines)
      isCut = true
    }
  }
}

/// Whether an agent may use a tool of the gateway.
package struct GatewayTool: Hashable, Sendable {
  package enum State: String, Hashable, Sendable { case on, off, failing }

  package var name: String
  package var state: State
  /// Why it fails, in the gateway's words: remote text.
  package var words: String?

  init?(_ value: JSONValue) {
    guard let name = value["name"]?.string,
      let state = value["state"]?.string.flatMap(State.init)
    else { return nil }
    self.name = name
    self.state = state
    words = value["words"]?.string
  }
}

/// An image that a tool answered with.
package struct GatewayPicture: Hashable, Sendable {
  /// The encoded image as received. Untrusted input.
  package var bytes: [UInt8]
  /// What the gateway says beside it. Text in it is remote.
  package var details: JSONValue

  init?(_ value: JSONValue) {
    guard let text = value["image"]?.string, let data = Data(base64Encoded: text), !data.isEmpty
    else { return nil }
    bytes = Array(data)
    details = value["result"] ?? .null
  }
}

/// What a tool answered.
package enum GatewayToolResult: Hashable, Sendable {
  /// Its details. Text in them is remote.
  case whole(JSONValue)
  /// The beginning of their JSON text, where they are too long.
  case cut(String)
  case picture(GatewayPicture)

  init?(_ value: JSONValue) {
    if value["image"] != nil {
      guard let picture = GatewayPicture(value) else { return nil }
      self = .picture(picture)
    } else if let text = value["cut"]?.string {
      self = .cut(text)
    } else if let details = value["result"] {
      self = .whole(details)
    } else {
      return nil
    }
  }
}

/// What came of a lookup.
package enum GatewayFinding: Hashable, Sendable {
  case files([GatewayFile], workspace: String?)
  case file(GatewayFile)
  case folder(GatewayFolder)
  case search(GatewaySearch)
  case nodes([GatewayNode])
  case tools([GatewayTool])
  case result(GatewayToolResult)
  /// A past conversation, line by line.
  case conversation(ServiceBoard.Section)

  init?(_ lookup: GatewayLookup, _ value: JSONValue) {
    switch lookup {
    case .files:
      guard let files = value["files"]?.array else { return nil }
      self = .files(files.compactMap(GatewayFile.init), workspace: value["workspace"]?.string)
    case .folder:
      guard let folder = GatewayFolder(value) else { return nil }
      self = .folder(folder)
    case .file, .passage, .workspaceFile:
      guard let file = GatewayFile(value) else { return nil }
      self = .file(file)
    case .search:
      guard let search = GatewaySearch(value) else { return nil }
      self = .search(search)
    case .nodes:
      guard let nodes = value["nodes"]?.array else { return nil }
      self = .nodes(nodes.compactMap(GatewayNode.init))
    case .tools:
      guard let tools = value["tools"]?.array else { return nil }
      self = .tools(tools.compactMap(GatewayTool.init))
    case .tool:
      guard let result = GatewayToolResult(value) else { return nil }
      self = .result(result)
    case .logs: return nil
    case .conversation: self = .conversation(ServiceBoard.Section(value))
    }
  }
}

/// Everything that was read of a gateway because a screen shows it; a bounded number of answers.
package struct GatewayFindings: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// nil while the first answer is awaited, and after a failure without an answer before it.
    package var finding: GatewayFinding?
    /// Why the last request has no answer.
    package var problem: String?
    package var isAsked: Bool
    /// When the finding came, on the gateway's clock, ms since 1970.
    package var atMs: Int64?
  }

  static let maximum = 48
  private var entries: [GatewayLookup: Entry] = [:]
  /// The longest asked for first.
  private var order: [GatewayLookup] = []
  package private(set) var log = GatewayLog()

  package init() {}

  package subscript(lookup: GatewayLookup) -> Entry? { entries[lookup] }

  /// Everything that is an image.
  package var pictures: [(lookup: GatewayLookup, picture: GatewayPicture, atMs: Int64)] {
    entries.compactMap { lookup, entry in
      guard case .result(.picture(let picture))? = entry.finding, let at = entry.atMs else {
        return nil
      }
      return (lookup, picture, at)
    }
  }

  package mutating func note(asked lookup: GatewayLookup) {
    change(lookup) { $0.isAsked = true }
  }

  package mutating func take(
    _ lookup: GatewayLookup, _ result: Result<JSONValue, LookupFailure>, atMs: Int64
  ) {
    if case (.logs, .success(let value)) = (lookup, result) { log.take(value) }
    change(lookup) { entry in
      entry.isAsked = false
      switch result {
      case .failure(let failure): entry.problem = failure.sentence
      case .success(let value):
        entry.problem = nil
        entry.atMs = atMs
        entry.finding = GatewayFinding(lookup, value)
      }
    }
  }

  private mutating func change(_ lookup: GatewayLookup, _ body: (inout Entry) -> Void) {
    var entry =
      entries[lookup] ?? Entry(finding: nil, problem: nil, isAsked: false, atMs: nil)
    body(&entry)
    entries[lookup] = entry
    order.removeAll { $0 == lookup }
    order.append(lookup)
    if order.count > Self.maximum { entries[order.removeFirst()] = nil }
  }
}
