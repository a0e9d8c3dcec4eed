internal import ClankyWire
internal import CockpitFiles
internal import LenientJSON

/// `bot.json`: the bot whose history a folder holds, by its addresses and Discord names. Entries are only added.
package struct HistoryBot: Hashable, Sendable {
  /// The addresses at which it was recorded, in the order in which they were first used.
  package var addresses: [String] = []
  /// What it was called on Discord (`runtime.userTag`), the newest last.
  package var userTags: [String] = []
  /// When a recorder first began here, and when one last wrote; ms since 1970.
  package var firstMs: Int64?
  package var lastMs: Int64?

  package init() {}

  static let fileName = "bot.json"
  /// The newest names are kept, so many at most.
  private static let maxNames = 50

  /// Reads the file of a folder; nil if there is none, or it cannot be read.
  package static func read(_ folder: String) -> HistoryBot? {
    let found = Result { () throws(FileError) in try SafeFile.read(folder + "/" + fileName) }
    guard let bytes = (try? found.get()) ?? nil, let json = try? JSONValue.parse(bytes) else {
      return nil
    }
    var bot = HistoryBot()
    bot.addresses = json["addresses"]?.array.map { $0.compactMap(\.string) } ?? []
    bot.userTags = json["user_tags"]?.array.map { $0.compactMap(\.string) } ?? []
    bot.firstMs = json["first_ms"]?.int.map(Int64.init)
    bot.lastMs = json["last_ms"]?.int.map(Int64.init)
    return bot
  }

  func write(_ folder: String) throws(FileError) {
    let json = JSONValue.body([
      ("format", .integer(1)), ("addresses", .array(addresses.map(JSONValue.string))),
      ("user_tags", .array(userTags.map(JSONValue.string))),
      ("first_ms", firstMs.map { .integer(Int($0)) }),
      ("last_ms", lastMs.map { .integer(Int($0)) }),
    ])
    try AtomicFile.replace(folder + "/" + Self.fileName, with: Array(json.serialized().utf8))
  }

  mutating func add(address: String) {
    guard !address.isEmpty, !addresses.contains(address) else { return }
    addresses = (addresses + [address]).suffix(Self.maxNames)
  }

  /// - Returns: whether it is another name than the last one.
  mutating func add(userTag: String) -> Bool {
    guard !userTag.isEmpty, userTag.utf8.count <= 200, userTags.last != userTag else {
      return false
    }
    userTags = (userTags.filter { $0 != userTag } + [userTag]).suffix(Self.maxNames)
    return true
  }
}

extension RecorderBatch {
  /// What the bot is called in the first statistics among the documents; nil if they do not say.
  var userTag: String? {
    for case .document("stats", _, _, let range) in items {
      guard let json = try? JSONValue.parse(Array(bytes[range])) else { continue }
      return json["runtime"]?["userTag"]?.string
    }
    return nil
  }
}

extension RecorderFiles {
  /// Notes at which address the bot is recorded.
  func beginBot() {
    var bot = HistoryBot.read(folder) ?? HistoryBot()
    bot.add(address: settings.bot)
    bot.firstMs = bot.firstMs ?? nowMs()
    write(bot)
  }

  /// Notes what the bot is called, once a run.
  func nameBot(_ batch: RecorderBatch) {
    guard !hasNamedBot, let tag = batch.userTag else { return }
    hasNamedBot = true
    var bot = HistoryBot.read(folder) ?? HistoryBot()
    if bot.add(userTag: tag) { write(bot) }
  }

  /// Notes when it was last recorded.
  func endBot() { write(HistoryBot.read(folder) ?? HistoryBot()) }

  private func write(_ bot: HistoryBot) {
    var bot = bot
    bot.lastMs = nowMs()
    do throws(FileError) { try bot.write(folder) } catch { lastProblem = error.description }
  }
}
