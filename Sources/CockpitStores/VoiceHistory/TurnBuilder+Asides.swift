/// Events between turns: interruptions, and the bot's own thoughts.
extension TurnBuilder {
  // MARK: talking over the bot

  mutating func bargeIn(_ event: VoiceEvent) -> Int? {
    switch event.name {
    case "voice_barge_in_interrupt", "voice_barge_in_suppression_cleared":
      let cut =
        heard(event)
        ?? answering(event, where: { $0.audioStarted == nil && $0.generation != nil })
      guard let cut else { return own(event) }
      if event.name == "voice_barge_in_interrupt" || self[cut].interrupted == nil {
        self[cut].interrupted = mark(event)
      }
      if let user = event.userID, user != self[cut].speakerID || self[cut].interruptedBy == nil,
        open[user] != nil
      {
        self[cut].interruptedBy = user
      }
      return cut
    case "voice_barge_in_gate":
      guard let mine = own(event), self[mine].outcome == .pending else { return nil }
      self[mine].bargeInGate = Self.reading(event, mark(event))
      if event.bool("allow") == false, self[mine].decisions.isEmpty {
        self[mine].reason =
          event.string("outputLockReason") ?? event.string("reason") ?? self[mine].reason
      }
      return mine
    default: return own(event)
    }
  }

  // MARK: thoughts

  mutating func thought(_ event: VoiceEvent) -> Int? {
    let isSpoken = event.name == "voice_thought_spoken"
    guard isSpoken || (event.name == "voice_thought_decision" && event.bool("allow") == true) else {
      return nil
    }
    if isSpoken,
      let index = turns.indices.suffix(8).last(where: {
        self[$0].origin == .thought && event.timeMs - self[$0].lastAt < Self.silenceMs
      })
    {
      self[index].reply = self[index].reply ?? Self.words(of: event)
      return index
    }
    let index = begin(event, origin: .thought)
    self[index].source = Self.base(event.string("source")) ?? "thought"
    var decision = Self.reading(event, mark(event))
    if isSpoken { decision.allow = true }
    self[index].decisions = [decision]
    self[index].reply = Self.words(of: event)
    return index
  }

  private static func words(of event: VoiceEvent) -> String? {
    event.string("finalThought") ?? event.string("thoughtText") ?? event.string("thought")
  }
}
