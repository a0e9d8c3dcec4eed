import CockpitChat
import CockpitVoice
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct VoiceDrawerTests {
  private static let wide = Size(width: 200, height: 60)

  private static func voice(_ phase: VoicePhase = .idle) -> VoiceBoard {
    var voice = VoiceBoard()
    voice.phase = phase
    (voice.canHear, voice.canSpeak) = (true, true)
    if phase == .recording {
      voice.isRecording = true
      voice.recordedMs = 2_340
      voice.levels = (0..<120).map { AudioLevel(rms: Double($0 % 24) / 48) }
    }
    return voice
  }

  private static func waterfall() -> VoiceWaterfall {
    var waterfall = VoiceWaterfall()
    for number in 1...7 as ClosedRange<UInt64> {
      var exchange = VoiceExchange(atMs: Fixture.nowMs - 60_000 + Int64(number))
      let ms: UInt64 = 1_000_000
      exchange.reach(.recording, atNs: 10 * ms)
      exchange.reach(.recorded, atNs: 2_000 * ms)
      exchange.reach(.text, atNs: (2_000 + 100 * number) * ms)
      exchange.reach(.firstToken, atNs: (2_600 + 100 * number) * ms)
      if number != 4 { exchange.reach(.firstAudio, atNs: (2_900 + 150 * number) * ms) }
      waterfall.add(exchange)
    }
    return waterfall
  }

  @Test("the states of a conversation by voice, at three sizes", arguments: 0..<3)
  func goldens(place: Int) throws {
    let size = ChatDrawerTests.sizes[place]
    let phases: [VoicePhase] = [.recording, .transcribing, .speaking]
    var scene = ChatScene(size: size)
    scene.board.voice = Self.voice(phases[place])
    scene.board.voice?.isConversation = place > 0
    scene.board.voice?.hearsRemotely = place == 1
    scene.board.voice?.isMuted = place == 1
    scene.board.voice?.waterfall = Self.waterfall()
    scene.press("i Esc")
    if place == 0 { scene.press("i") }
    if place == 1 { scene.press("v") }
    if place == 2 {
      scene.board.voice?.phase = .idle
      scene.press("i Esc v")
      scene.board.voice?.phase = .speaking
    }
    let canvas = scene.frame().canvas
    #expect(SoundCanvas.problems(of: canvas).isEmpty)
    try expectGolden(canvas, "chat-voice-\(phases[place].rawValue)-\(size.width)x\(size.height)")
  }

  @Test("the keys of voice ask for what they say; without voice they are the tab's")
  func keys() {
    var scene = ChatScene(size: Self.wide)
    scene.press("i C-t Esc P")
    #expect(scene.requests == [.open])
    scene = ChatScene(size: Self.wide)
    scene.press("i")
    scene.board.voice = Self.voice()
    scene.press("C-t")
    scene.type("PVM")
    #expect(scene.drawer?.input.text == "PVM")
    scene.press("Esc P V M")
    #expect(
      scene.requests.dropFirst() == [
        .voice(.talk), .voice(.talk), .voice(.conversation), .voice(.mute),
      ])
    // The tab has the keys: they mean what they always do.
    scene.press("q P V")
    #expect(scene.requests.count == 5)
  }

  @Test("any key of the conversation silences it; keys that leave do not; Esc does nothing else")
  func silencing() {
    var scene = ChatScene(size: Self.wide)
    scene.board.voice = Self.voice(.speaking)
    scene.press("i")
    scene.type("x")
    #expect(scene.requests == [.open, .voice(.interrupt)])
    #expect(scene.drawer?.input.text == "x")
    scene.press("Esc")
    #expect(scene.requests.last == .voice(.interrupt))
    #expect(scene.drawer?.focus == .input)
    scene.board.voice?.phase = .idle
    scene.press("Esc")
    #expect(scene.drawer?.focus == .transcript)
    scene.board.voice?.phase = .speaking
    let count = scene.requests.count
    scene.press("q 5 `")
    #expect(scene.requests.count == count)
    #expect(scene.drawer == nil)
  }

  @Test("Esc drops a recording first; the state is in border and title")
  func recording() {
    var scene = ChatScene(size: Self.wide)
    scene.board.voice = Self.voice(.recording)
    scene.press("i Esc")
    #expect(scene.requests == [.open, .voice(.cancel)])
    #expect(scene.drawer?.focus == .input)
    #expect(scene.text().contains("recording LOCAL 2.34s"))
    #expect(scene.text().contains("⣿"))
    scene.board.voice?.hearsRemotely = true
    #expect(scene.text().contains("recording REMOTE"))
    for phase in VoicePhase.allCases where phase != .idle {
      scene.board.voice?.phase = phase
      #expect(scene.title.contains(phase.rawValue))
      #expect(scene.text().contains("\(phase.word)"))
    }
  }

  @Test("the level meter: empty, half, full, in ASCII too")
  func meter() {
    var canvas = Canvas(size: Size(width: 4, height: 1))
    let levels = [0, 0, 0.13, 0.13, 0.5, 0.5].map { AudioLevel(rms: $0) }
    LevelMeter(levels: levels).render(Rect(width: 4, height: 1), into: &canvas)
    #expect(canvas.text == "⠀⠀⣤⣿" || canvas.text.hasSuffix("⣤⣿"), "\(canvas.text)")
  }
}
