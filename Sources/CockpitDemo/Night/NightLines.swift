/// The dialogue of the night: people, places and texts, in an order that depends on the seed.
struct NightLines: Sendable {
  struct Ask: Sendable {
    var text: String
    var reply: String
  }

  /// Why a message is not let in, and the other codes of the wire, each in turn.
  static let refusals = [
    "ambient_low_confidence", "ambient_no_signal", "cold_ambient_gate_closed",
    "unsolicited_replies_disabled", "not_reply_channel",
  ]
  static let gates = ["send_budget_exhausted", "talk_now_blocked", "context_should_not_run"]
  static let skips = ["llm_skip", "empty_reply", "duplicate_reply", "llm_skip", "stale_context"]
  static let rejections = ["queue_full", "message_expired"]
  static let denials = [
    "model_no", "bot_turn_open", "music_playing_not_awake", "command_only_not_addressed",
    "llm_unavailable", "missing_transcript", "classifier_runtime_error",
    "unparseable_classifier_output", "owned_tool_followup_other_speaker_blocked",
  ]
  static let unheard = [
    "voice_turn_dropped_silence_gate", "voice_turn_dropped_asr_low_confidence",
    "voice_realtime_transcription_empty", "voice_turn_dropped_provisional_capture",
    "voice_turn_dropped_idle_hallucination", "voice_turn_dropped_asr_control_tokens",
    "voice_turn_skipped_empty_capture",
  ]

  private static let asks = [
    Ask(text: "when does the bus back leave on day %d?", reply: "Ten past %d, from the car park."),
    Ask(text: "how much flour for %d loaves?", reply: "About %d times 480 g, and a dusting."),
    Ask(text: "is %d degrees too warm to proof overnight?", reply: "At %d it is; use the cellar."),
    Ask(text: "which fuse did we use in build %d?", reply: "The slow one; note %d has the photo."),
    Ask(text: "what was the score of round %d again?", reply: "Close. %d to the kettle team."),
    Ask(text: "can you count to %d without a joke?", reply: "%d. There was a joke, you missed it."),
    Ask(text: "who has the big rope for trip %d?", reply: "Whoever signed line %d of the list."),
    Ask(text: "should we move the call to %d?", reply: "%d works for everybody but the baker."),
    Ask(text: "what does error %d on the oven mean?", reply: "%d is the door. Close the door."),
    Ask(text: "name track %d after something soft", reply: "Number %d: Lint."),
    Ask(text: "is page %d of the map still right?", reply: "Page %d is older than the bridge."),
    Ask(text: "how long is leg %d with the ford closed?", reply: "Leg %d gets two hours longer."),
  ]

  private static let chatter = [
    "the kettle is on again, round %d", "i put the crates behind door %d",
    "has anybody seen my glove number %d", "row %d is done, going to bed",
    "that makes %d days of rain", "lid %d fits after all",
  ]

  private static let spoken = [
    Ask(text: "clanky how far is it to hut number %d", reply: "Three hours to hut %d."),
    Ask(text: "clanky read me step %d", reply: "Step %d: fold, turn, wait."),
    Ask(text: "clanky set a reminder for minute %d", reply: "Minute %d it is."),
    Ask(text: "clanky what did we decide about plan %d", reply: "Plan %d was the wet one; no."),
    Ask(text: "clanky is the wind below %d tonight", reply: "Just below %d, from the west."),
  ]

  static let places = [
    Place(Cast.ridge, "campfire"), Place(Cast.ridge, "trip-plans"),
    Place(Cast.ridge, "gear-bench"), Place(Cast.bakery, "proofing"), Place(Cast.bakery, "lounge"),
    Place(Cast.arcade, "build-log"), Place(Cast.arcade, "general"),
  ]

  private var random: DemoRandom
  /// No two messages of the night have the same words.
  private var number: Int
  private var turns: [String: Int] = [:]

  init(seed: UInt64) {
    random = DemoRandom(seed: seed ^ 0x6C69_6E65)
    number = random.int(100...300)
  }

  private mutating func fill(_ ask: Ask) -> Ask {
    number += random.int(1...3)
    return Ask(
      text: ask.text.replacing("%d", with: String(number)),
      reply: ask.reply.replacing("%d", with: String(number)))
  }

  mutating func ask() -> Ask { fill(random.pick(Self.asks)) }
  mutating func aside() -> String { fill(Ask(text: random.pick(Self.chatter), reply: "")).text }
  mutating func line() -> Ask { fill(random.pick(Self.spoken)) }
  mutating func place() -> Place { random.pick(Self.places) }

  mutating func person(but other: Person? = nil) -> Person {
    random.pick(Cast.people.filter { $0 != other })
  }

  /// The next of a list of codes: each comes, in turn, from a place of the seed's own.
  mutating func next(_ name: String, of codes: [String]) -> String {
    let turn = turns[name] ?? random.int(0...codes.count - 1)
    turns[name] = turn + 1
    return codes[turn % codes.count]
  }
}
