/// A call of a tool, as a script has it.
struct RunTool: Sendable {
  var name: String
  var title: String
  var args: DemoJSON
  var output: String
  var ms: Int
  var isError = false
  /// Whether it waits for an approval.
  var asks = false

  var isCommand: Bool { name == "exec" }
}

/// What a run does, step by step.
enum RunStep: Sendable {
  case think(String)
  case plan([(step: String, status: String)])
  case tool(RunTool)
  case ask
  case spawn(task: String, agent: String)
  case words([String])
  /// Pieces of text, each after so many ms.
  case paced([String], ms: Int)
  case fail(String, kind: String)
}

/// The words and deeds of a run, made from a seed.
enum RunScript {
  /// Which script a message starts: the first of these words in it decides (docs/demo.md).
  static func steps(_ message: String, _ random: inout DemoRandom, hostile: Bool) -> [RunStep] {
    let text = message.lowercased()
    if text.contains("markdown") { return [.paced(pieces(markdown), ms: 30)] }
    if text.contains("huge") { return [.paced(huge(&random), ms: 40)] }
    if text.contains("slow") { return [.paced(split(answers.joined(separator: " ")), ms: 600)] }
    if text.contains("fail at once") { return [.fail("The model is not there.", kind: "unknown")] }
    if text.contains("fail") { return failing(&random) }
    if text.contains("approve") { return approving(&random) }
    if text.contains("ask") { return [.ask, .words(split("Thank you, I go with that."))] }
    if text.contains("delegate") { return delegating(&random) }
    if text.contains("plan") { return planning(&random) }
    if text.contains("long") { return [.words(long(&random))] }
    if hostile { return [.words(HostileWords.chunks)] }
    return [.words(split(random.pick(answers)))]
  }

  static let answers = [
    "The rain barrel is two thirds full; the pump can stay off until Thursday.",
    "Three letters came in. One of them is the dentist, who moves the visit to the ninth.",
    "The back-up finished at 04:12 and is 18 GB smaller than last week's.",
    "Nothing is due today. Tomorrow the library wants two books back.",
  ]

  static func planning(_ random: inout DemoRandom) -> [RunStep] {
    let names = ["Read the shopping list", "Look what is in the pantry", "Write the order"]
    func plan(_ done: Int) -> RunStep {
      .plan(
        names.enumerated().map {
          ($1, $0 < done ? "completed" : $0 == done ? "in_progress" : "pending")
        })
    }
    let count = random.int(3...9)
    return [
      .think("The list is in shopping.md; the pantry is counted by a script; then the order."),
      plan(0),
      .tool(
        RunTool(
          name: "read", title: "read shopping.md", args: ["path": "shopping.md"],
          output: "flour\nlentils\nsoap", ms: random.int(120...400))), plan(1),
      .tool(
        RunTool(
          name: "exec", title: "count the pantry", args: ["command": "./pantry --count"],
          output: "lentils \(count)\nflour 0", ms: random.int(700...1800))),
      .tool(
        RunTool(
          name: "web_fetch", title: "fetch the shop's prices",
          args: ["url": "https://shop.example/prices"], output: "fetch failed: 503",
          ms: random.int(900...1500), isError: true)), plan(2),
      .words(
        split(
          "Flour and soap are on the order; \(count) bags of lentils are enough. The shop's "
            + "prices did not load.")),
    ]
  }

  static func approving(_ random: inout DemoRandom) -> [RunStep] {
    let folder = random.pick(["photos/2025", "scans/tax", "music/choir"])
    return [
      .think("The folder has to be copied before it can go."),
      .tool(
        RunTool(
          name: "exec", title: "copy \(folder)",
          args: ["command": .string("rsync -a \(folder) vault:/archive")],
          output: "sent 1,204,811 bytes", ms: random.int(600...1500), asks: true)),
      .words(split("I went through \(folder) and wrote down what happened.")),
    ]
  }

  static func delegating(_ random: inout DemoRandom) -> [RunStep] {
    [
      .spawn(task: "Add up what the household spent in May", agent: "tally"),
      .words(split("Tally is on it; the sum comes when it is ready.")),
    ]
  }

  static func failing(_ random: inout DemoRandom) -> [RunStep] {
    let (words, kind) = random.pick([
      ("The model's provider answered 429: too many requests.", "rate_limit"),
      ("The model did not answer within 120 s.", "timeout"),
      ("The prompt is longer than the model's context.", "context_length"),
      ("The model declined to answer.", "refusal"),
    ])
    return [.words(["One moment"]), .fail(words, kind: kind)]
  }

  static func long(_ random: inout DemoRandom) -> [String] {
    let nouns = ["lamp", "harbour", "ledger", "orchard", "tram", "letter", "stove", "bridge"]
    return (1...160).map { "Part \($0) is about the \(random.pick(nouns)). " }
  }

  /// 200 kB in pieces of 4 kB.
  static func huge(_ random: inout DemoRandom) -> [String] {
    (1...50).map { part in
      var text = "\n\n## Part \(part)\n\n"
      while text.utf8.count < 4_000 { text += random.pick(answers) + " " }
      return text
    }
  }

  /// A text in pieces that break words and lines anywhere.
  static func pieces(_ text: String) -> [String] {
    var rest = Substring(text)
    var pieces: [String] = []
    while !rest.isEmpty {
      pieces.append(String(rest.prefix(13)))
      rest = rest.dropFirst(13)
    }
    return pieces
  }

  /// Everything that an answer may be written with.
  static let markdown = """
    # The pantry

    **Lentils** are *nearly* gone, and `soap` is out. See [the shop](https://shop.example/prices) for prices.

    ## What to buy

    1. flour, two bags
    2. soap
       - the green one
       - not the blue one
    3. candles

    > Oskar asked for candles twice.

    | thing | have | want |
    |:------|-----:|:----:|
    | flour |    0 |  2   |
    | soap  |    0 |  1   |

    ```sh
    ./pantry --count | sort
    ```

    ---

    That is all.
    """

  /// Words in groups of two, each with the space behind it.
  static func split(_ text: String) -> [String] {
    let words = text.split(separator: " ")
    return stride(from: 0, to: words.count, by: 2).map { at in
      let end = min(at + 2, words.count)
      return words[at..<end].joined(separator: " ") + (end < words.count ? " " : "")
    }
  }
}
