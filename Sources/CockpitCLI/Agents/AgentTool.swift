import CockpitPanes
import LenientJSON

/// A question that a program may ask, or a change that it may make: a verb with the arguments that it may give. The
/// answer is the one that the verb prints.
struct AgentTool: Sendable {
  /// What a tool that changes something tells clients of itself, so that they can ask their user.
  struct Change: Sendable {
    /// Whether something that was there is gone or another thing afterwards.
    var isDestructive: Bool
    /// Whether the same call again changes nothing more.
    var isIdempotent: Bool
    /// Whether it has effects beyond the bot, such as a command that runs.
    var isOpenWorld = false
  }

  /// One member of the arguments.
  struct Parameter: Sendable {
    enum Kind: Sendable {
      /// A text of at most so many bytes.
      case text(Int)
      /// A text that stands alone among the arguments, so that it must not look like an option.
      case window
      case number(ClosedRange<Int>)
      case choice([String])
    }

    var name: String
    var kind: Kind
    var help: String
    var isRequired = false
  }

  /// What is wrong with the arguments of a call, in our own words.
  struct Mistake: Error {
    var sentence: String
  }

  /// The arguments of a call after they were checked.
  struct Given: Sendable {
    fileprivate var texts: [String: String] = [:]

    subscript(name: String) -> String? { texts[name] }

    /// `--since=2h`: a value can never be taken for an option.
    func option(_ name: String, _ spelling: String? = nil) -> [String] {
      texts[name].map { ["--\(spelling ?? name)=\($0)"] } ?? []
    }
  }

  var name: String
  var title: String
  var description: String
  var parameters: [Parameter]
  /// The words of the verb.
  var verb: [String]
  /// What follows the verb.
  var arguments: @Sendable (Given) -> [String]
  /// Whether exit code 1 is a valid answer, such as that nothing is recorded.
  var takesOne = true
  /// Whether a recording may answer it.
  var hasPast = true
  /// Whether the verb prints texts of this program alone.
  var isOwnWords = false
  /// Whether members named `id` on the first level are facts and not rows.
  var listsFacts = false

  /// Whether it is about the moment in which it is asked.
  var isOfNow = false

  /// nil for a tool that only reads.
  var change: Change?

  /// All that a call may have.
  var allParameters: [Parameter] { parameters + (hasPast ? Self.past : []) + [Self.cursor] }

  private static let past = [
    Parameter(
      name: "at", kind: .text(40),
      help: "As it was then, from what was recorded on this machine: 14:31, -10m, 2026-05-09T14:31."
    ),
    Parameter(
      name: "source", kind: .choice(["live", "recorded"]),
      help: "recorded: from what was recorded on this machine, without asking the bot."),
  ]

  static let cursor = Parameter(
    name: "cursor", kind: .text(60),
    help: "next_cursor of an answer, for its next part; the other arguments are ignored then.")

  private static let longestWindow = 100

  // MARK: tools/list

  /// As `tools/list` has it.
  var listed: JSONValue {
    .body([
      ("name", .string(name)), ("title", .string(title)), ("description", .string(description)),
      ("inputSchema", inputSchema), ("outputSchema", AgentAnswer.schema),
      (
        "annotations",
        .body([
          ("title", .string(title)), ("readOnlyHint", .bool(change == nil)),
          ("destructiveHint", .bool(change?.isDestructive ?? false)),
          ("idempotentHint", .bool(change?.isIdempotent ?? true)),
          ("openWorldHint", .bool(change?.isOpenWorld ?? false)),
        ])
      ),
    ])
  }

  private var inputSchema: JSONValue {
    let properties = allParameters.map { parameter -> (String, JSONValue?) in
      var members: [(String, JSONValue?)] = []
      switch parameter.kind {
      case .window:
        members = [("type", .string("string")), ("maxLength", .integer(Self.longestWindow))]
      case .text(let limit):
        members = [("type", .string("string")), ("maxLength", .integer(limit))]
      case .number(let range):
        members = [
          ("type", .string("integer")), ("minimum", .integer(range.lowerBound)),
          ("maximum", .integer(range.upperBound)),
        ]
      case .choice(let words):
        members = [
          ("type", .string("string")), ("enum", .array(words.map { .string($0) })),
        ]
      }
      members.append(("description", .string(parameter.help)))
      return (parameter.name, .body(members))
    }
    let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
    return .body([
      ("type", .string("object")), ("properties", .body(properties)),
      ("required", required.isEmpty ? nil : .array(required)),
      ("additionalProperties", .bool(false)),
    ])
  }

  // MARK: tools/call

  /// The arguments of a call, checked.
  func given(_ arguments: JSONObject) throws(Mistake) -> Given {
    var given = Given()
    for member in arguments.members {
      guard let parameter = allParameters.first(where: { $0.name == member.key }) else {
        let names = allParameters.map(\.name).joined(separator: ", ")
        throw Mistake(sentence: "\(name) takes \(names) and nothing else.")
      }
      if member.value.isNull { continue }
      given.texts[parameter.name] = try text(of: member.value, for: parameter)
    }
    // A cursor already identifies the answer: required parameters are not checked.
    if given["cursor"] != nil { return given }
    for parameter in parameters where parameter.isRequired && given[parameter.name] == nil {
      throw Mistake(sentence: "\(name) needs \(parameter.name): \(parameter.help)")
    }
    return given
  }

  private func text(of value: JSONValue, for parameter: Parameter) throws(Mistake) -> String {
    switch parameter.kind {
    case .window:
      guard let text = value.string, !text.isEmpty, text.utf8.count <= Self.longestWindow,
        text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }),
        !text.hasPrefix("-") || Arguments.isNegativeNumber(text)
      else { throw Mistake(sentence: "\(parameter.name) is a window such as 24h or 22:00..06:00.") }
      return text
    case .text(let limit):
      guard let text = value.string, !text.isEmpty, text.utf8.count <= limit,
        text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
      else {
        throw Mistake(
          sentence: "\(parameter.name) is a text of 1 to \(limit) bytes without control characters."
        )
      }
      return text
    case .number(let range):
      guard case .number(let number) = value, let int = number.int, range.contains(int) else {
        throw Mistake(
          sentence:
            "\(parameter.name) is a whole number from \(range.lowerBound) to \(range.upperBound).")
      }
      return String(int)
    case .choice(let words):
      guard let text = value.string, words.contains(text) else {
        throw Mistake(sentence: "\(parameter.name) is one of \(words.joined(separator: ", ")).")
      }
      return text
    }
  }

  /// The words after the program's name.
  ///
  /// - Parameter options: the options that select the bot, with their values; those that the verb does not
  ///   have are left out.
  func words(
    _ given: Given, options: [(name: String, value: String?)], _ table: VerbTable
  ) -> [String] {
    let known = table.verb(verb)
    let place = options.filter { known?.option($0.name) != nil }
      .map { name, value in value.map { "\(name)=\($0)" } ?? name }
    var past: [String] = []
    if hasPast {
      past = given.option("at")
      if given["source"] == "recorded", past.isEmpty { past = ["--from-history"] }
    }
    return verb + place + past + ["--json"] + arguments(given)
  }

  /// Whether the answer comes from a recording.
  func isPast(_ given: Given) -> Bool {
    verb.first == "history" || hasPast && (given["at"] != nil || given["source"] == "recorded")
  }
}
