import TerminalCore

/// The line that `:` opens: every command by its name, with completion.
///
/// The names come from the live key table, so that a command without a key here, such as a change
/// with `--read-only`, cannot be had by its name either.
package struct CommandLine: Hashable, Sendable {
  /// What a key press asks of the cockpit.
  package enum Outcome: Equatable, Sendable {
    case stay, close
    case run(CockpitCommand)
  }

  package private(set) var field = TextField()
  /// Why the line was not carried out.
  package private(set) var problem: PlainText?
  private var cycle: Cycle?

  /// The names that Tab walks through, and what was typed before the first Tab.
  private struct Cycle: Hashable, Sendable {
    var names: [String]
    var index: Int
  }

  package init() {}

  package mutating func press(_ press: KeyPress, _ keys: KeyTable) -> Outcome {
    // Backspace on the empty line leaves it, as in vi.
    if field.text.isEmpty, press.key == .backspace { return .close }
    switch field.press(press) {
    case .cancel: return .close
    case .accept: return accept(keys)
    case .complete: complete(keys)
    case .edited:
      cycle = nil
      problem = nil
    default: break
    }
    return .stay
  }

  package mutating func paste(_ text: String) {
    cycle = nil
    field.paste(text)
  }

  private mutating func accept(_ keys: KeyTable) -> Outcome {
    let name = field.text.trimmingSpaces.lowercased()
    guard !name.isEmpty else { return .close }
    if let exact = Self.names(keys).first(where: { $0.name == name }) { return .run(exact.command) }
    let found = Self.matches(name, keys)
    let commands = Set(found.map(\.command))
    if commands.count == 1, let command = commands.first { return .run(command) }
    problem =
      found.isEmpty
      ? "no command is called " + PlainText(name, limit: 40) + "; Tab shows all of them"
      : PlainText(found.prefix(8).map(\.name).joined(separator: "  "))
    return .stay
  }

  private mutating func complete(_ keys: KeyTable) {
    var next = cycle ?? Cycle(names: Self.matches(field.text, keys).map(\.name), index: -1)
    guard !next.names.isEmpty else {
      problem = "no command begins so"
      return
    }
    next.index = (next.index + 1) % next.names.count
    field = TextField(next.names[next.index])
    problem = PlainText(next.names.prefix(12).joined(separator: "  "))
    cycle = next
  }

  /// Short names that people know from elsewhere, and the tabs without their prefix.
  private static let aliases: [(name: String, command: CockpitCommand)] = [
    ("q", .quit), ("h", .help), ("pulse", .pulse), ("voice", .voice), ("brain", .brain),
    ("memory", .memory), ("cmd", .cmd),
  ]

  /// Every name and what it asks for.
  static func names(_ keys: KeyTable) -> [(name: String, command: CockpitCommand)] {
    let known = keys.bindings.map { (name: $0.command.rawValue, command: $0.command) }
    let usable = Set(known.map(\.command))
    return known + aliases.filter { usable.contains($0.command) }
  }

  private static func matches(
    _ text: String, _ keys: KeyTable
  ) -> [(name: String, command: CockpitCommand)] {
    let text = text.trimmingSpaces.lowercased()
    return names(keys).filter { $0.name.hasPrefix(text) && $0.command != .commandLine }
      .sorted { $0.name < $1.name }
  }

  func render(y: Int, into frame: inout Frame) {
    let width = frame.canvas.bounds.width
    guard width > 2 else { return }
    frame.canvas.write(":", y: y, role: .key, attributes: .bold)
    let room = problem == nil ? width - 1 : min(width - 1, 24)
    frame.canvas.inside(Rect(x: 1, y: y, width: room, height: 1)) {
      field.render(into: &$0, placeholder: "a command; Tab completes, Esc leaves", isFocused: true)
    }
    if let problem, width > room + 3 {
      frame.canvas.write(problem.cut(to: width - room - 2), x: room + 2, y: y, role: .muted)
    }
  }
}

extension String {
  var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
