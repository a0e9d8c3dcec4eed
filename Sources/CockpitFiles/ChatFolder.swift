/// Conversations with agents in the state directory: a file of lines for each channel, to which lines are only ever
/// added; the list of channels; drafts. All of mode 0600.
package struct ChatFolder {
  private static let listName = "channels.jsonl"
  private static let suffix = ".jsonl"
  private static let listLimit = 1 << 20
  /// Lines of a conversation that are read; the reader itself stops after 16 MiB.
  private static let lineLimit = 50_000

  private let folder: String
  private let drafts: DraftStore
  private let disk: any Disk

  /// - Parameter state: the state directory.
  package init(state: String, disk: any Disk = SystemDisk()) {
    folder = "\(state)/chat"
    drafts = DraftStore(state: state, folder: "chat-drafts", disk: disk)
    self.disk = disk
  }

  /// Adds a line to a conversation.
  ///
  /// - Parameter channel: lower-case letters, digits and hyphens.
  /// - Throws: one sentence; the line is not in the file then.
  package func append(_ line: [UInt8], to channel: String) throws(FileError) {
    try file(channel).append(line)
  }

  /// The lines of a conversation, oldest first; a torn one as it is.
  package func lines(of channel: String) throws(FileError) -> [[UInt8]] {
    try file(channel).last(Self.lineLimit)
  }

  /// A conversation is never moved away to make room: its file has no limit.
  private func file(_ channel: String) -> JournalFile {
    JournalFile(folder: folder, stem: "channel-\(channel)", limit: .max / 8, disk: disk)
  }

  /// The channels that have a file, those that are in no list any more included.
  package func conversations() throws(FileError) -> Set<String> {
    guard let own = try OwnFolder.existing(folder, disk: disk) else { return [] }
    defer { own.close() }
    let prefix = "channel-"
    let names = try own.names().filter { $0.hasPrefix(prefix) && $0.hasSuffix(Self.suffix) }
    return Set(names.map { String($0.dropFirst(prefix.count).dropLast(Self.suffix.count)) })
  }

  /// The list of channels; empty if there is none.
  package func list() throws(FileError) -> [UInt8] {
    guard let own = try OwnFolder.existing(folder, disk: disk) else { return [] }
    defer { own.close() }
    guard let (descriptor, size) = try own.read(Self.listName) else { return [] }
    defer { disk.letGo(descriptor) }
    do throws(DiskFailure) {
      return try disk.readAll(0..<min(size, Self.listLimit), of: descriptor)
    } catch {
      throw .cannotRead("\(folder)/\(Self.listName)", because: error.code)
    }
  }

  /// Replaces the list of channels: all of it, or nothing.
  package func save(list: [UInt8]) throws(FileError) {
    let own = try OwnFolder.making(folder, disk: disk)
    defer { own.close() }
    try own.replace(Self.listName, with: list)
  }

  /// Keeps what was typed and not sent; an empty text removes it.
  package func save(draft: String, of channel: String) throws(FileError) {
    guard !draft.isEmpty else { return try drafts.remove(channel) }
    try drafts.save(Array(draft.utf8), name: channel)
  }

  package func draft(of channel: String) throws(FileError) -> String {
    String(decoding: try drafts.draft(channel) ?? [], as: UTF8.self)
  }
}
