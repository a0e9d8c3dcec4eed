internal import LenientJSON

/// A conversation that goes on: bound to a source and an agent there.
package struct ChatChannel: Hashable, Sendable, Identifiable {
  /// Letters, digits and hyphens: it is a part of the session key and of a file name.
  package let id: String
  package var name: String
  /// The address of the source.
  package var source: String
  /// Nil is the source's default agent.
  package var agent: String?
  /// Which session of the agent: a new conversation has the next one, and the old one stays.
  package var version: Int

  package init(id: String, name: String, source: String, agent: String? = nil, version: Int = 1) {
    self.id = id
    self.name = name
    self.source = source
    self.agent = agent
    self.version = max(1, version)
  }

  /// `agent:<id>:cockpit-<channel>-v<n>`
  ///
  /// - Parameter defaultAgent: that of the source, for a channel that names none.
  package func sessionKey(defaultAgent: String?) -> String {
    "agent:\(agent ?? defaultAgent ?? "main"):cockpit-\(id)-v\(version)"
  }
}

/// The channels in the user's order.
package struct ChatChannelList: Hashable, Sendable {
  package private(set) var channels: [ChatChannel]
  /// Lines of a file that could not be read as a channel.
  package private(set) var unreadable = 0

  package static let limit = 200
  /// The longest name of a channel, in characters.
  package static let nameLimit = 60

  package init(_ channels: [ChatChannel] = []) { self.channels = channels }

  /// Channels from the lines of a file. A line that is none, or whose id was there before, costs itself.
  package init(bytes: [UInt8]) {
    self.init()
    var ids: Set<String> = []
    for line in bytes.split(separator: 0x0A) {
      guard channels.count < Self.limit, let value = try? JSONValue.parse(Array(line)),
        let id = value["id"]?.string, Self.isIdentifier(id), let name = value["name"]?.string,
        let source = value["source"]?.string, ids.insert(id).inserted
      else {
        unreadable += 1
        continue
      }
      channels.append(
        ChatChannel(
          id: id, name: String(name.prefix(Self.nameLimit)), source: source,
          agent: value["agent"]?.string, version: value["version"]?.int ?? 1))
    }
  }

  package subscript(id: ChatChannel.ID) -> ChatChannel? { channels.first { $0.id == id } }

  package func channels(of source: String) -> [ChatChannel] {
    channels.filter { $0.source == source }
  }

  /// Why a channel cannot be added; nil if it can.
  package var problem: String? {
    channels.count < Self.limit ? nil : "there are \(Self.limit) channels; delete one first"
  }

  /// Adds a channel at the end. Its id is made of its name and belongs to no other channel, deleted ones
  /// included as far as `taken` names them.
  @discardableResult
  package mutating func add(
    name: String, source: String, agent: String?, taken: Set<String> = []
  ) -> ChatChannel {
    let name = Self.cleaned(name)
    let used = taken.union(channels.map(\.id))
    let stem = Self.identifier(name)
    var id = stem
    var number = 2
    while used.contains(id) {
      id = "\(stem)-\(number)"
      number += 1
    }
    let channel = ChatChannel(id: id, name: name, source: source, agent: agent)
    channels.append(channel)
    return channel
  }

  package mutating func rename(_ id: ChatChannel.ID, to name: String) {
    change(id) { $0.name = Self.cleaned(name) }
  }

  package mutating func remove(_ id: ChatChannel.ID) { channels.removeAll { $0.id == id } }

  /// Another agent begins another session.
  package mutating func setAgent(_ id: ChatChannel.ID, to agent: String?) {
    change(id) { channel in
      guard channel.agent != agent else { return }
      channel.agent = agent
      channel.version += 1
    }
  }

  /// Another model for the same conversation, where what answers is a model.
  package mutating func setModel(_ id: ChatChannel.ID, to model: String?) {
    change(id) { $0.agent = model }
  }

  /// A new conversation: the agent's next session.
  package mutating func bumpVersion(_ id: ChatChannel.ID) { change(id) { $0.version += 1 } }

  /// Moves a channel among those of its source; up is negative.
  package mutating func move(_ id: ChatChannel.ID, by step: Int) {
    guard let place = channels.firstIndex(where: { $0.id == id }) else { return }
    let source = channels[place].source
    let places = channels.indices.filter { channels[$0].source == source }
    guard let rank = places.firstIndex(of: place) else { return }
    let wanted = min(max(0, rank + step), places.count - 1)
    let channel = channels.remove(at: place)
    channels.insert(channel, at: places[wanted])
  }

  private mutating func change(_ id: ChatChannel.ID, _ body: (inout ChatChannel) -> Void) {
    guard let place = channels.firstIndex(where: { $0.id == id }) else { return }
    body(&channels[place])
  }

  private static func cleaned(_ name: String) -> String {
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? "chat" : String(words.prefix(nameLimit))
  }

  /// Lower-case ASCII letters, digits and hyphens of a name, at most 24.
  private static func identifier(_ name: String) -> String {
    var id = ""
    for scalar in name.lowercased().unicodeScalars where id.utf8.count < 24 {
      switch scalar {
      case "a"..."z", "0"..."9": id.unicodeScalars.append(scalar)
      default: if !id.isEmpty, !id.hasSuffix("-") { id += "-" }
      }
    }
    while id.hasSuffix("-") { id.removeLast() }
    return id.isEmpty ? "chat" : id
  }
}
