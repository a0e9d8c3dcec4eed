import CockpitPanes
import TerminalCore

/// Bots that announce themselves on the local network: a list below the fields, from which an address can be taken.
/// Nothing else of an announcement is used, and nothing is asked or sent before the user says so.
extension SetupForm {
  /// The number of the first bot for clicks.
  static let firstBot = Field.allCases.count + Button.allCases.count
  /// Rows of the list; more scroll.
  private static let listed = 5

  /// Starts to look; nothing if it is looked already.
  mutating func search() -> [Effect] {
    guard discovery != .looking else { return [] }
    noteDiscovery([], .looking)
    return [.setup(.search)]
  }

  mutating func take(_ found: [FoundBot], _ discovery: Discovery) {
    guard self.discovery == .looking else { return }
    noteDiscovery(found, discovery)
  }

  mutating func takeBot(_ index: Int) {
    guard bots.indices.contains(index) else { return }
    noteAddress(bots[index].url)
  }

  /// What is said of the search, and the bots around the one that has the keys.
  ///
  /// - Parameter height: lines that there are for it.
  func discoveryLines(_ width: Int, height: Int) -> [(text: PlainText, role: Role, bot: Int?)] {
    guard height > 0 else { return [] }
    var lines = head.wrapped(to: width).map { (text: $0, role: Role.muted, bot: Int?.none) }
    lines = Array(lines.prefix(height))
    let room = min(Self.listed, bots.count, height - lines.count)
    guard room > 0 else { return lines }
    var first = 0
    if case .bot(let index) = focus { first = min(max(0, index - room / 2), bots.count - room) }
    for index in first..<(first + room) {
      let bot = bots[index]
      let address = PlainText(bot.url, limit: 200)
      lines.append(
        (("\(index + 1)  " as PlainText + address + "  " + bot.name).cut(to: width), .input, index))
    }
    return lines
  }

  /// Lines that all of it takes.
  func discoveryHeight(_ width: Int) -> Int {
    discovery == .none ? 0 : head.wrapped(to: width).count + min(Self.listed, bots.count)
  }

  private var head: PlainText {
    switch discovery {
    case .none: ""
    case .looking: "Looking for bots on the local network …"
    case .noTool(let tools):
      PlainText(
        "Nobody looked for bots on the local network: this machine has no "
          + tools.joined(separator: " or ") + ".")
    case .heard(let tool) where bots.isEmpty:
      PlainText("No bot announces itself on the local network (\(tool)); type the address.")
    case .heard(let tool):
      PlainText(
        "\(bots.count == 1 ? "A bot announces itself" : "\(bots.count) bots announce themselves") "
          + "(\(tool)); Enter takes the address. Anybody on the network can announce such a name.")
    }
  }
}
