/// What the backend makes of one value: nothing is refused.
enum SettingsRule: Sendable {
  case bool
  case whole(Double, Double)
  case number(Double, Double)
  case text(Int)
  case tag(Int)
  case name(Int)
  case list(Int, Int)
  case choice([String])
  case choices([String])
  case url
  case binding
  case policy
  case worker
  case workers
  case free
  case objects(Int)

  init?(_ notation: String) {
    let words = notation.split(separator: " ").map(String.init)
    let numbers = words.dropFirst().compactMap(Double.init)
    switch (words.first, numbers.count) {
    case ("b", _): self = .bool
    case ("i", 2): self = .whole(numbers[0], numbers[1])
    case ("n", 2): self = .number(numbers[0], numbers[1])
    case ("s", 1): self = .text(Int(numbers[0]))
    case ("t", 1): self = .tag(Int(numbers[0]))
    case ("k", 1): self = .name(Int(numbers[0]))
    case ("l", 2): self = .list(Int(numbers[0]), Int(numbers[1]))
    case ("O", 1): self = .objects(Int(numbers[0]))
    case ("c", _): self = .choice(words.dropFirst().map { $0 == "\"\"" ? "" : $0 })
    case ("C", _): self = .choices(Array(words.dropFirst()))
    case ("u", _): self = .url
    case ("B", _): self = .binding
    case ("P", _): self = .policy
    case ("w", _): self = .worker
    case ("W", _): self = .workers
    case ("F", _): self = .free
    default: return nil
    }
  }

  /// The stored value; nil where a member is to be absent.
  func stored(_ value: DemoJSON?, initial: DemoJSON?) -> DemoJSON? {
    guard let value else { return initial }
    switch self {
    case .bool: return JSValue.bool(value).map { .bool($0) } ?? initial
    case .whole(let low, let high):
      return JSValue.number(value).map { .from(min(max($0.rounded(.down), low), high)) } ?? initial
    case .number(let low, let high):
      return JSValue.number(value).map { .from(min(max($0, low), high)) } ?? initial
    case .text(let limit):
      if value == .null { return initial }
      return .string(JSValue.cut(JSValue.text(value), limit))
    case .tag(let limit):
      let tag = JSValue.cut(JSValue.text(value), limit).lowercased().map { $0 == "_" ? "-" : $0 }
      let isTag =
        !tag.isEmpty && tag.allSatisfy { $0 == "-" || ($0.isASCII && ($0.isLetter || $0.isNumber)) }
      return isTag ? .string(String(tag)) : initial
    case .name(let limit):
      let name = JSValue.cut(JSValue.text(value), limit).lowercased().map {
        $0 == "_" || $0 == "-" || ($0.isASCII && ($0.isLetter || $0.isNumber)) ? $0 : "-"
      }
      let bare = String(name).split(separator: "-", omittingEmptySubsequences: true)
      return bare.isEmpty ? initial : .string(bare.joined(separator: "-"))
    case .list(let count, let length):
      return .strings(JSValue.list(value).prefix(count).map { JSValue.cut($0, length) })
    case .choice(let words): return Self.choice(value, words) ?? initial
    case .choices(let words):
      let known = JSValue.list(value).filter(words.contains)
      return .strings(known.isEmpty ? words : known)
    case .url: return Self.origin(JSValue.text(value)).map { .string($0) } ?? initial
    case .binding: return Self.binding(value, initial)
    case .policy: return Self.policy(value, initial)
    case .worker: return Self.choice(value, Self.knownWorkers)
    case .workers:
      let known = JSValue.list(value).filter(Self.knownWorkers.contains)
      return known.isEmpty ? nil : .strings(Array(known.prefix(4)))
    case .free:
      if case .object = value { return value }
      return [:]
    case .objects(let count): return .array(Array((value.arrayValue ?? []).prefix(count)))
    }
  }

  private static let knownWorkers = ["claude_code", "codex_cli", "codex"]
  private static let efforts = ["none", "minimal", "low", "medium", "high", "xhigh"]
  private static let providers: Set<String> = [
    "openai", "anthropic", "ai_sdk_anthropic", "claude-oauth", "openai-oauth", "codex-oauth",
    "codex_cli_session", "xai", "codex", "codex-cli",
  ]

  private static func choice(_ value: DemoJSON, _ words: [String]) -> DemoJSON? {
    if words.allSatisfy({ Double($0) != nil }) {
      return JSValue.number(value).flatMap { number in
        words.contains { Double($0) == number } ? .from(number) : nil
      }
    }
    let text = JSValue.cut(JSValue.text(value), 200).lowercased()
    return words.first { $0.lowercased() == text }.map { .string($0) }
  }

  private static func origin(_ text: String) -> String? {
    for scheme in ["https://", "http://"] where text.lowercased().hasPrefix(scheme) {
      let place = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
      let host = place.split(separator: "@").last ?? ""
      return host.isEmpty ? nil : scheme + host
    }
    return nil
  }

  private static func binding(_ value: DemoJSON, _ initial: DemoJSON?) -> DemoJSON? {
    guard case .object(let object) = value, !object.members.isEmpty else { return initial }
    let word = JSValue.text(value["provider"] ?? .string("")).lowercased()
    let fallback = initial?["provider"]?.stringValue ?? "claude-oauth"
    let provider =
      providers.contains(word) ? (word == "codex-oauth" ? "openai-oauth" : word) : fallback
    let model = JSValue.cut(JSValue.text(value["model"] ?? .string("")), 120)
    let own = provider == fallback ? initial?["model"]?.stringValue : nil
    return [
      "provider": .string(provider),
      "model": .string(model.isEmpty ? own ?? SettingsPresets.model(of: provider) : model),
    ]
  }

  private static func policy(_ value: DemoJSON, _ initial: DemoJSON?) -> DemoJSON? {
    guard case .object = value else { return initial }
    let modes = ["inherit_orchestrator", "dedicated_model", "disabled"]
    // A policy lies over its default, member by member.
    let mode =
      value["mode"].map { choice($0, modes) ?? "inherit_orchestrator" }
      ?? initial?["mode"] ?? "inherit_orchestrator"
    var stored: DemoJSON = ["mode": mode]
    if mode == "dedicated_model" {
      let model = binding(value["model"] ?? [:], initial?["model"])
      stored = stored.setting(
        "model", model ?? ["provider": "claude-oauth", "model": "claude-opus-4-6"])
    }
    if let number = (value["temperature"] ?? initial?["temperature"]).flatMap(JSValue.number) {
      stored = stored.setting("temperature", .from(min(max(number, 0), 2)))
    }
    if let number = (value["maxOutputTokens"] ?? initial?["maxOutputTokens"]).flatMap(
      JSValue.number)
    {
      stored = stored.setting("maxOutputTokens", .from(min(max(number.rounded(.down), 32), 16384)))
    }
    if let effort = (value["reasoningEffort"] ?? initial?["reasoningEffort"]).flatMap({
      choice($0, efforts)
    }) {
      stored = stored.setting("reasoningEffort", effort)
    }
    return stored
  }
}
