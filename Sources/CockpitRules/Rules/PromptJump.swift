/// Ours: a prompt became much longer, or a part of it changed that was always the same.
struct PromptJump: RuleState {
  static let rule = Rule(
    id: .promptJump, level: .info,
    condition: "a prompt is over 1.5 times the median of its last 20, or a fixed part changed",
    advice: "Compare the two prompts in BRAIN; a changed part explains a change in behaviour.",
    input: RuleInput(
      names: ["llm_call"], keys: ["source", "event", "model"], prompts: true,
      memoryMs: 86_400_000),
    limits: [
      RuleLimit(name: "factor", unit: .ratio, standard: 1.5, meaning: "times the median size"),
      RuleLimit(
        name: "least_bytes", unit: .count, standard: 2000, meaning: "shorter prompts never jump"),
      RuleLimit(
        name: "versions", unit: .count, standard: 10,
        meaning: "prompts that must be known before one is compared"),
    ],
    begin: { PromptJump($0) })

  /// What the last prompts of one role had in common. Sizes and hashes, no words.
  private struct Role: Sendable {
    var sizes: [Int] = []
    var isLong = false
    var versions = 0
    var prefix: [PromptPrint.Part] = []
    var suffix: [PromptPrint.Part] = []
  }

  private let factor: Double
  private let leastBytes: Int
  private let versions: Int
  private var roles: [String: Role] = [:]

  private static let maxRoles = 200
  private static let lastSizes = 20

  init(_ values: RuleValues) {
    factor = values["factor"]
    leastBytes = values.count("least_bytes")
    versions = max(2, values.count("versions"))
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return }
    for print in row.prompts {
      let use = row.string("event") ?? row.string("source") ?? "calls"
      let key = [row.guildID ?? "", row.string("source") ?? "", use, print.field]
        .joined(separator: " ")
      guard roles[key] != nil || roles.count < Self.maxRoles else { continue }
      var role = roles[key] ?? Role()
      let what = print.field == "systemPrompt" ? "system prompt" : "user prompt"
      var told: [String] = []
      if let change = Self.change(&role, print, after: versions) {
        told.append(
          "changed in a part that was the same in the last \(change.versions): \(change.what)")
      }
      if let size = jump(&role, print.bytes) { told.append(size) }
      roles[key] = role
      guard !told.isEmpty else { continue }
      found.report(
        .init(
          .info, "The \(what) of \(use.prefix(40)) \(told.joined(separator: "; "))", [row.cite],
          about: row, subject: key))
    }
  }

  private func jump(_ role: inout Role, _ bytes: Int) -> String? {
    defer {
      role.sizes.append(bytes)
      if role.sizes.count > Self.lastSizes { role.sizes.removeFirst() }
    }
    guard role.sizes.count >= versions else { return nil }
    let median = role.sizes.sorted()[role.sizes.count / 2]
    let isLong = bytes > leastBytes && Double(bytes) > factor * Double(median)
    defer { role.isLong = isLong }
    guard isLong, !role.isLong else { return nil }
    return "grew to \(Self.size(bytes)); the \(role.sizes.count) before had "
      + "a median of \(Self.size(median))"
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1000 ? "\(bytes) B" : "\(bytes / 1000).\(bytes % 1000 / 100) kB"
  }

  /// Compares the fixed part, and takes the prompt in.
  private static func change(
    _ role: inout Role, _ print: PromptPrint, after versions: Int
  ) -> (versions: Int, what: String)? {
    guard role.versions > 0 else {
      (role.versions, role.prefix, role.suffix) = (1, print.parts, print.parts)
      return nil
    }
    let head = zip(role.prefix, print.parts).prefix { $0 == $1 }.count
    let tail = zip(role.suffix.reversed(), print.parts.reversed()).prefix { $0 == $1 }.count
    let isSame = head == role.prefix.count && tail == role.suffix.count
    guard role.versions >= versions, !isSame else {
      role.prefix = Array(role.prefix.prefix(head))
      role.suffix = Array(role.suffix.suffix(tail))
      role.versions = min(role.versions + 1, lastSizes)
      return nil
    }
    let change = (role.versions, difference(role, print))
    (role.versions, role.prefix, role.suffix) = (1, print.parts, print.parts)
    return change
  }

  /// Names the parts that came, went or changed.
  private static func difference(_ role: Role, _ print: PromptPrint) -> String {
    let old = role.prefix + role.suffix
    let hasAll = Set(print.parts)
    let known = Set(old)
    let gone = old.filter { !hasAll.contains($0) }.map(\.heading)
    let new = print.parts.filter { !known.contains($0) }.map(\.heading)
    let oldNames = Set(gone)
    let newNames = Set(new)
    var words: [String] = []
    func list(_ names: Set<String>, _ verb: String) {
      guard !names.isEmpty else { return }
      let shown = names.sorted().prefix(2).map { $0.isEmpty ? "its beginning" : $0 }
      let more = names.count > 2 ? " and \(names.count - 2) more" : ""
      words.append("\(shown.joined(separator: ", "))\(more) \(verb)")
    }
    list(oldNames.intersection(newNames), "changed")
    list(newNames.subtracting(oldNames), "added")
    list(oldNames.subtracting(newNames), "removed")
    return words.isEmpty ? "its parts are in another order" : words.joined(separator: ", ")
  }
}
