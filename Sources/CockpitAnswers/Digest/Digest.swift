/// What a bot did in a stretch of time, such as last night: one sentence, and a line for each thing that an owner
/// asks about.
///
/// Each count says whose rows it is made of. Sentences may quote untrusted text: convert them to `PlainText` before
/// drawing or printing.
package struct Digest: Hashable, Sendable {
  /// Why it begins when it does.
  package enum Beginning: String, Hashable, Sendable {
    /// When the user last looked at the cockpit.
    case lastLook = "last_look"
    /// As the user said.
    case given
    /// Ten in the evening before, since nothing is known of a last look.
    case evening
  }

  /// What a line is about; the raw values are those of the JSON output.
  package enum Topic: String, CaseIterable, Hashable, Sendable {
    case answers, silences, failures, unknown, incidents, errors, sessions, cost, automations, facts
  }

  /// One thing that happened, or did not.
  package struct Line: Hashable, Sendable {
    package var topic: Topic
    /// What is counted, in a word or two, such as `llm_skip`; empty for the line of the topic itself.
    package var name = ""
    /// How often; nil where nothing is counted.
    package var count: Int?
    /// The line in words, without its name.
    package var text: String
    package var state = Answer.State.observed
    /// Something is wrong, or was.
    package var isTrouble = false
    /// All its rows, oldest first.
    package var evidence: [Answer.Evidence] = []
    /// The filter that finds its rows where they are too many to be named; nil for the others.
    package var filter: String?

    /// Whether it says more about the line of its topic above it.
    package var isDetail: Bool { !name.isEmpty }
  }

  /// How often an exchange of a medium ended so.
  package struct Tally: Hashable, Sendable {
    package var medium: Exchange.Medium
    package var outcome: WhyRule.Outcome
    /// The wire's code; nil where it has none.
    package var reason: String?
    package var count: Int
  }

  package var beginning: Beginning
  /// The sentence, its certainty, and over which time it speaks.
  package var answer: Answer
  package var lines: [Line]
  /// Every exchange of the time, counted.
  package var tallies: [Tally]
  /// Of which parts of the time rows are missing, or may be.
  package var missing: [MissingStretch]

  /// The line of a topic.
  package subscript(topic: Topic) -> Line? {
    lines.first { $0.topic == topic && !$0.isDetail }
  }

  /// The lines that say more about a topic.
  package func details(of topic: Topic) -> [Line] {
    lines.filter { $0.topic == topic && $0.isDetail }
  }

  /// How many exchanges of a medium ended so.
  package func count(_ medium: Exchange.Medium, _ outcome: WhyRule.Outcome) -> Int {
    tallies.reduce(0) {
      $0 + ($1.medium == medium && $1.outcome == outcome ? $1.count : 0)
    }
  }
}
