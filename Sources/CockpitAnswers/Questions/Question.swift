/// A question of an owner, and the command that answers it. The palette lists them; add new ones to
/// `all`.
package struct Question: Hashable, Sendable {
  /// Which question it is; stable, and a test names each.
  package enum ID: String, CaseIterable, Hashable, Sendable {
    case silent, said, answerCost, slow, remember, sinceYesterday, broken, ignored, costsMost
    case costToday, errors, toolFailures, factsUsed, learned, wrongFact, forget, prompt, models
    case voiceNow, calls, byItself, talk, saidBy, nothing, meaning, keys, settings, runtime
    case whatIf
  }

  /// The effect of Enter.
  package enum Target: Hashable, Sendable {
    /// Lines for `:`, best first: the first one that parses is executed. A line may therefore name
    /// a verb or a filter stage that only some builds have.
    case lines([String])
    /// The start of a line for the user to complete, such as `search `.
    case beginning(String)
  }

  package var id: ID
  /// As an owner would phrase it.
  package var title: String
  /// The answering command, in a few words.
  package var help: String
  package var target: Target
  /// Its concepts with their weights; the sum does not matter.
  var concepts: [QuestionConcept: Double]
  /// Whether a name follows, so that unknown words are expected.
  var takesName = false

  private init(
    _ id: ID, _ title: String, _ help: String, _ target: Target,
    _ concepts: [QuestionConcept: Double], takesName: Bool = false
  ) {
    self.id = id
    self.title = title
    self.help = help
    self.target = target
    self.concepts = concepts
    self.takesName = takesName
  }

  /// Every question, most frequent first.
  package static let all: [Question] = [
    Question(
      .silent, "Why was it silent?", "the newest silence, step by step",
      .lines(["why silent", "filter kind:reply_skipped"]),
      [.silent: 3, .answer: 1, .not: 1.5, .why: 0.5, .ignore: 2, .say: 0.7]),
    Question(
      .said, "Why did it say that?", "the newest answer, from trigger to output",
      .lines(["why last", "tab brain"]), [.why: 1, .say: 2, .answer: 1, .cause: 2]),
    Question(
      .answerCost, "What did that answer cost?", "BRAIN: the calls of an answer and their cost",
      .lines(["why last --cost", "tab brain"]), [.cost: 2, .answer: 2, .howMuch: 1, .past: 0.3]),
    Question(
      .slow, "What was slow?", "what took more than 5 s in the last 24 h",
      .lines(["filter since:24h | p95 duration by kind", "filter since:24h ms>5000"]),
      [.slow: 3, .why: 0.3, .answer: 0.3]),
    Question(
      .remember, "What does it remember about …?", "MEMORY: search by meaning",
      .beginning("search "), [.remember: 3, .about: 1, .fact: 1.5, .person: 0.7],
      takesName: true),
    Question(
      .sinceYesterday, "What happened since yesterday?",
      "a digest: answers, silences, errors, cost",
      .lines(["digest --since 24h", "filter since:24h"]), [.since: 2, .happen: 2]),
    Question(
      .broken, "Is it broken?", "what is wrong with the bot, and what to do",
      .lines(["triage", "status"]), [.broken: 3, .wrong: 1.5, .error: 0.5]),
    Question(
      .ignored, "Who is ignored?", "who got no answer in the last 24 h",
      .lines([
        "filter since:24h kind:reply_skipped | count by user",
        "filter since:24h kind:reply_skipped",
      ]), [.ignore: 3, .who: 1.5, .answer: 1, .not: 1]),
    Question(
      .costsMost, "What costs most?", "cost by model, last 24 h",
      .lines(["filter since:24h | sum cost by model", "filter since:24h is:costed"]),
      [.cost: 2, .most: 2, .model: 1.5]),
    Question(
      .costToday, "What did it cost today?", "CMD: cost by UTC day, and a forecast",
      .lines(["tab cmd"]), [.cost: 2, .today: 2, .howMuch: 1]),
    Question(
      .errors, "What went wrong?", "errors of the last 24 h",
      .lines(["filter since:24h is:error"]), [.error: 3, .wrong: 1.5]),
    Question(
      .toolFailures, "Which tools failed?", "failed tools of the last 24 h",
      .lines([
        "filter since:24h chip:tool is:error | count by kind",
        "filter since:24h chip:tool is:error",
      ]), [.tool: 3, .error: 1.5, .broken: 1, .not: 0.5, .which: 0.3]),
    Question(
      .factsUsed, "Which facts did it have in front of it?", "BRAIN: facts of the last answer",
      .lines(["tab brain"]), [.fact: 2, .use: 2, .answer: 1, .cause: 1, .say: 1, .which: 0.5]),
    Question(
      .learned, "What did it learn?", "facts it wrote in the last 24 h",
      .lines(["filter since:24h kind:memory_fact"]),
      [.learn: 3, .new: 2, .fact: 1.5, .remember: 0.5, .today: 0.5]),
    Question(
      .wrongFact, "It remembers something wrong", "MEMORY: e edits a fact, D deletes it",
      .lines(["tab memory"]), [.wrong: 2, .change: 2, .remember: 2, .fact: 1.5]),
    Question(
      .forget, "How does it forget a person?", "MEMORY: their facts, v selects, D deletes",
      .beginning("facts list --subject "),
      [.forget: 3, .person: 1, .about: 0.5, .remember: 0.5, .fact: 1], takesName: true),
    Question(
      .prompt, "What is it told to be?", "BRAIN: prompts, and = what changed in them",
      .lines(["tab brain"]), [.prompt: 3, .change: 1, .say: 0.3]),
    Question(
      .models, "Which models answer?", "model calls of the last 24 h",
      .lines([
        "filter since:24h kind:llm_call | count by model", "filter since:24h kind:llm_call",
      ]), [.model: 3, .which: 1, .use: 1, .answer: 0.5]),
    Question(
      .settings, "Where do I change its settings?", "CMD: the settings of the bot, by section",
      .lines(["settings"]), [.setting: 3, .change: 1]),
    Question(
      .runtime, "What does it run with now?", "CMD: models, voices, limits, and what made them so",
      .lines(["runtime"]), [.run: 3, .now: 0.5, .model: 0.7, .which: 0.5, .setting: 0.5]),
    Question(
      .voiceNow, "Who is in the call?", "VOICE: the live session", .lines(["tab voice"]),
      [.voice: 2, .who: 1, .now: 1, .say: 0.3]),
    Question(
      .calls, "How did the last calls go?", "VOICE: past sessions", .lines(["sessions"]),
      [.voice: 2, .past: 2]),
    Question(
      .byItself, "What does it do by itself?", "posts on schedule and of its own accord, last 24 h",
      .lines(["filter since:24h kind:automation_*|initiative_*"]), [.schedule: 3, .now: 0.3]),
    Question(
      .talk, "How often does it answer?", "answers of the last 24 h",
      .lines([
        "filter since:24h kind:sent_reply|sent_message | count by hour",
        "filter since:24h kind:sent_reply|sent_message",
      ]), [.often: 2, .answer: 2, .say: 1, .howMuch: 1]),
    Question(
      .saidBy, "What did … say?", "rows of a person, by name", .beginning("filter user:"),
      [.say: 2, .who: 1, .answer: 0.5], takesName: true),
    Question(
      .whatIf, "What would another threshold have answered?",
      "modelled from logged scores; --model PROVIDER/MODEL: the cost on another model",
      .lines(["whatif"]), [.otherwise: 3, .model: 0.5, .cost: 0.5, .answer: 0.5]),
    Question(
      .nothing, "Why do I see nothing?", "doctor: configuration, connection, terminal",
      .lines(["doctor"]), [.nothing: 3, .see: 1.5, .why: 0.5, .broken: 0.5]),
    Question(
      .meaning, "What does … mean?", "explain a kind, reason, field, stage or state",
      .beginning("explain "), [.mean: 3], takesName: true),
    Question(
      .keys, "Which keys are there?", "the keys of this tab, and all others", .lines(["help"]),
      [.keys: 3, .which: 0.5]),
  ]
}
