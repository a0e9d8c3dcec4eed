import CockpitVoice
import Testing

@Suite struct VoiceMachineTests {
  private static func machine(
    _ events: [VoiceEvent], echo: Bool = false
  ) -> (VoiceMachine, [VoiceEffect]) {
    var machine = VoiceMachine(isEchoCancelled: echo)
    var last: [VoiceEffect] = []
    for event in events { last = machine.take(event) }
    return (machine, last)
  }

  @Test func aSpokenExchangePassesThroughAllStates() {
    var machine = VoiceMachine()
    let steps: [(VoiceEvent, VoicePhase, [VoiceEffect])] = [
      (.talk, .recording, [.startRecorder]),
      (.talk, .transcribing, [.transcribe]),
      (.transcribed("hello"), .thinking, [.send("hello")]),
      (.answerBegan, .thinking, []),
      (.answerText, .streaming, []),
      (.speakingBegan, .speaking, []),
      (.answerEnded, .speaking, []),
      (.speakingEnded, .idle, []),
    ]
    for (event, phase, effects) in steps {
      #expect(machine.take(event) == effects, "\(event)")
      #expect(machine.phase == phase, "\(event)")
    }
  }

  @Test func aConversationListensAfterSpeaking() {
    var machine = VoiceMachine()
    #expect(machine.take(.conversation) == [.startRecorder])
    #expect(machine.take(.speechEnded) == [.transcribe])
    #expect(machine.take(.transcribed("one")) == [.send("one")])
    _ = machine.take(.answerBegan)
    _ = machine.take(.answerText)
    _ = machine.take(.speakingBegan)
    #expect(machine.take(.answerEnded) == [])
    #expect(machine.take(.speakingEnded) == [.startRecorder])
    // An answer that says nothing aloud.
    _ = machine.take(.speechEnded)
    _ = machine.take(.transcribed("two"))
    _ = machine.take(.answerBegan)
    #expect(machine.take(.answerEnded) == [.startRecorder])
    #expect(machine.take(.conversation) == [.dropRecording])
    #expect(machine.phase == .idle)
  }

  @Test func itDoesNotListenBeforeTheAnswerIsSaid() {
    var machine = VoiceMachine()
    for event in [
      .conversation, .speechEnded, .transcribed("x"), .answerBegan, .answerText, .speechQueued,
    ] as [VoiceEvent] { _ = machine.take(event) }
    #expect(machine.take(.answerEnded) == [])
    #expect(machine.phase == .speaking)
    #expect(machine.take(.speakingEnded) == [.startRecorder])
  }

  @Test func nothingThatWasSaidIsLost() {
    // An answer is under way: the words wait in the input.
    let (busy, effects) = Self.machine([
      .answerBegan, .talk, .talk, .transcribed("later"),
    ])
    #expect(effects == [.draft("later")])
    #expect(busy.phase == .thinking)
    // The recorder dies in the middle of a sentence: what it gave is transcribed.
    #expect(Self.machine([.talk, .recorderEnded(hasSpeech: true)]).1 == [.transcribe])
    #expect(Self.machine([.talk, .recorderEnded(hasSpeech: false)]).1 == [.dropRecording])
  }

  @Test func halfDuplexUnlessEchoIsCancelled() {
    let half: [VoiceEvent] = [.conversation, .speechEnded, .transcribed("x"), .answerBegan]
    #expect(!Self.machine(half).0.isRecording)
    var full = Self.machine(half, echo: true).0
    #expect(full.isRecording)
    #expect(full.take(.speakingBegan) == [])
    // Speaking interrupts, and only this answer is silenced.
    #expect(full.take(.speechBegan) == [.stopSpeaking, .silenceAnswer])
    #expect(full.isRecording)
  }

  @Test func mutingStopsWhatIsSaid() {
    var machine = VoiceMachine()
    _ = machine.take(.answerBegan)
    _ = machine.take(.speakingBegan)
    #expect(machine.take(.mute) == [.stopSpeaking, .silenceAnswer])
    #expect(machine.isMuted)
    #expect(machine.take(.mute) == [])
  }

  /// From every state that three events lead to, `cancel` ends recording, transcription and speech, and says so.
  @Test func cancelLeavesEveryState() {
    let events: [VoiceEvent] = [
      .talk, .released, .conversation, .mute, .interrupt, .speechBegan, .speechEnded,
      .recorderEnded(hasSpeech: true), .recorderEnded(hasSpeech: false), .transcribed("a"),
      .transcribed(""), .notTranscribed, .answerBegan, .answerText, .answerEnded, .notSent,
      .speechQueued, .speakingBegan, .speakingEnded,
    ]
    for echo in [false, true] {
      for first in events {
        for second in events {
          for third in events {
            var (machine, _) = Self.machine([first, second, third], echo: echo)
            let before = machine
            let effects = machine.take(.cancel)
            #expect(before.isRecording == effects.contains(.dropRecording))
            #expect(before.isTranscribing == effects.contains(.stopTranscribing))
            #expect((before.isSpeaking || before.isPreparing) == effects.contains(.stopSpeaking))
            #expect(!machine.isRecording && !machine.isTranscribing && !machine.isSpeaking)
            #expect(!machine.isPreparing)
            #expect(!machine.isConversation)
            #expect(before.isEchoCancelled || !(before.isRecording && before.isSpeaking))
          }
        }
      }
    }
  }
}

@Suite struct SpeechQueueTests {
  private static let format = AudioFormat(rate: 8_000)

  @Test func orderHoldsWhicheverIsReadyFirst() {
    var queue = SpeechQueue()
    for text in ["a", "b", "c", "d", "e"] { queue.add(text) }
    // Back-pressure: three ahead, no more.
    let started = (0..<5).compactMap { _ in queue.startNext() }
    #expect(started.map(\.text) == ["a", "b", "c"])
    queue.append([3, 3], Self.format, to: started[2].id)
    queue.finish(started[2].id)
    queue.append([2, 2], Self.format, to: started[1].id)
    queue.finish(started[1].id)
    #expect(queue.play() == nil)
    queue.append([1], Self.format, to: started[0].id)
    #expect(queue.play()?.text == "a")
    #expect(queue.takeAudio(limit: 10).bytes == [1])
    // A stream: more of it comes while it is played.
    #expect(!queue.takeAudio(limit: 10).isLast)
    queue.append([1, 9], Self.format, to: started[0].id)
    queue.finish(started[0].id)
    let rest = queue.takeAudio(limit: 10)
    #expect(rest.bytes == [1, 9] && rest.isLast)
    queue.played()
    #expect(queue.startNext()?.text == "d")
    #expect(queue.play()?.text == "b")
    queue.played()
    #expect(queue.play()?.text == "c")
    #expect(queue.clear() == 3)
    #expect(queue.isEmpty && queue.play() == nil)
  }

  @Test func aSentenceThatFailsIsPassedOver() {
    var queue = SpeechQueue()
    for text in ["a", "b"] { queue.add(text) }
    let started = (0..<2).compactMap { _ in queue.startNext() }
    queue.append([2], Self.format, to: started[1].id)
    queue.finish(started[1].id)
    queue.fail(started[0].id)
    #expect(queue.play()?.text == "b")
    queue.played()
    #expect(queue.isEmpty)
  }
}

@Suite struct VoiceWaterfallTests {
  @Test func stepsAndPercentiles() {
    var waterfall = VoiceWaterfall()
    #expect(waterfall.percentile(50, of: .total) == nil)
    for count in 1...100 {
      var exchange = VoiceExchange(atMs: Int64(count) * 1_000)
      exchange.reach(.recorded, atNs: 1_000_000)
      exchange.reach(.text, atNs: UInt64(count + 1) * 1_000_000)
      exchange.reach(.text, atNs: 999_000_000)
      waterfall.add(exchange)
    }
    // Of the last 50: 51...100 ms.
    #expect(waterfall.percentile(50, of: .transcribe) == .init(ms: 75, count: 50))
    #expect(waterfall.percentile(95, of: .transcribe) == .init(ms: 98, count: 50))
    #expect(waterfall.percentile(50, of: .think) == nil)
    #expect(waterfall.window == 51_000...100_000)
  }
}
