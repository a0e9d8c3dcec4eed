package import CockpitVoice
internal import Networking
import Observation

/// Speech to text, to the agent, and its answer to speech: carries out what `VoiceMachine` decides.
///
/// Nothing runs and nothing is opened before the first key.
@MainActor
@Observable
package final class VoicePipeline {
  package private(set) var board: VoiceBoard

  @ObservationIgnored private var machine: VoiceMachine
  @ObservationIgnored private let settings: VoiceSettings
  @ObservationIgnored private let host: VoiceHost
  @ObservationIgnored private let transcriber: Transcriber
  @ObservationIgnored private var recorder: SpeechRecorder?
  @ObservationIgnored private var output: SpeechOutput?
  @ObservationIgnored private var splitter = SentenceSplitter()
  /// The text of the answer that was given to the splitter.
  @ObservationIgnored private var spoken: [Unicode.Scalar] = []
  @ObservationIgnored private var isAnswerSilent = false
  @ObservationIgnored private var exchange: VoiceExchange?
  @ObservationIgnored private var recording: String?
  @ObservationIgnored private var hasSaidRemote = false
  /// The conversation by voice with a source that takes and gives sound itself.
  @ObservationIgnored private var run: SpeechLinkRun?
  @ObservationIgnored private var isLinkLocal = true
  @ObservationIgnored private var makeLink: (@MainActor () -> any SpeechLink)?

  /// Sends a message to the agent; false where that was refused, and the text is in the input.
  @ObservationIgnored package var send: (String) -> Bool = { _ in false }
  /// Puts a text into the input.
  @ObservationIgnored package var draft: (String) -> Void = { _ in }
  /// Says one sentence to the user, without its full stop.
  @ObservationIgnored package var say: (String) -> Void = { _ in }
  /// Called when the pipeline becomes idle: text, answer and speech are over, or one of them failed.
  @ObservationIgnored package var onIdle: () -> Void = {}
  /// Called when the phase has changed.
  @ObservationIgnored package var onPhase: (VoicePhase) -> Void = { _ in }

  package init(
    _ settings: VoiceSettings, in host: VoiceHost,
    transcriptionDeadlineMs: UInt64 = Transcriber.deadlineMs
  ) {
    self.settings = settings
    self.host = host
    machine = VoiceMachine(
      isMuted: !settings.speaks, isEchoCancelled: settings.isEchoCancelled)
    transcriber = Transcriber(
      settings.hearing, requiresLocal: settings.requiresLocal,
      deadlineMs: transcriptionDeadlineMs, in: host)
    board = Self.board(settings)
  }

  /// At rest.
  private static func board(_ settings: VoiceSettings) -> VoiceBoard {
    var board = VoiceBoard()
    board.canHear = settings.recorder != nil && !settings.hearing.isEmpty
    board.canSpeak = settings.player != nil && !settings.speaking.isEmpty
    board.hearsRemotely = !settings.requiresLocal && settings.hearing.contains { !$0.isLocal }
    board.speaksRemotely = !settings.requiresLocal && settings.speaking.contains { !$0.isLocal }
    board.isEchoCancelled = settings.isEchoCancelled
    board.isMuted = !settings.speaks
    return board
  }

  // MARK: Requests

  /// Conversations by voice go to the source as sound, and come from it, instead of by transcriber and synthesiser.
  package func converse(by makeLink: @escaping @MainActor () -> any SpeechLink) {
    self.makeLink = makeLink
    board.canHear = settings.recorder != nil && (settings.player != nil || board.canHear)
  }

  package func perform(_ request: VoiceRequest) {
    if run != nil { return performLinked(request) }
    switch request {
    case .conversation where makeLink != nil: beginLink()
    case .talk where settings.hearing.isEmpty && makeLink != nil:
      say(
        "V begins a conversation by voice; to dictate a message, name a service under stt in [voice]"
      )
    case .talk, .conversation:
      guard board.canHear else { return say(whyDeaf) }
      sayWhoseMicrophone()
      take(request == .talk ? .talk : .conversation)
      if request == .conversation { sayConversation() }
    case .released: take(.released)
    case .mute:
      guard board.canSpeak else { return say(whyMute) }
      take(.mute)
      say(machine.isMuted ? "answers are not read aloud" : "answers are read aloud")
    case .interrupt: take(.interrupt)
    case .cancel: take(.cancel)
    }
  }

  // MARK: Sound both ways

  private func beginLink() {
    guard let link = makeLink?() else { return }
    guard link.isLocal || !settings.requiresLocal else {
      return say("require_local keeps sound on this machine, and the agent hears it elsewhere")
    }
    sayWhoseMicrophone()
    isLinkLocal = link.isLocal
    let run = SpeechLinkRun(
      link, settings, in: host, onChange: { [weak self] in self?.showLink() },
      done: { [weak self] in self?.linkEnded($0) })
    self.run = run
    run.start()
    // It ends at once where there is no recorder or player.
    guard self.run != nil else { return }
    say(
      settings.isEchoCancelled
        ? "conversation: speak, also to interrupt; V ends it"
        : "conversation: the agent hears nothing while it speaks; V ends it")
    showLink()
  }

  private func performLinked(_ request: VoiceRequest) {
    switch request {
    case .conversation, .cancel: run?.stop()
    case .interrupt: run?.interrupt()
    case .mute:
      let isMuted = !(run?.isMuted ?? false)
      run?.isMuted = isMuted
      say(isMuted ? "the agent does not hear you" : "the agent hears you")
      showLink()
    case .talk: say("the conversation by voice hears you already; V ends it")
    case .released: break
    }
  }

  private func showLink() {
    guard let run else { return }
    var board = board
    board.phase = run.phase
    (board.isConversation, board.isLinked) = (true, true)
    board.isRecording = run.phase == .recording
    (board.isMuted, board.canSpeak, board.hearsRemotely) = (run.isMuted, true, !isLinkLocal)
    board.recordedMs = run.recordedMs
    board.levels = run.isMuted ? [] : run.levels
    show(board)
  }

  private func linkEnded(_ reason: String?) {
    run = nil
    var board = Self.board(settings)
    (board.waterfall, board.isMuted) = (self.board.waterfall, machine.isMuted)
    board.canHear = self.board.canHear
    show(board)
    say(reason ?? "the conversation by voice is over")
  }

  /// The program ends: no child stays.
  package func close() {
    run?.stop()
    output?.stop()
    transcriber.cancel()
    recorder?.kill()
    recorder = nil
  }

  private var whyDeaf: String {
    settings.hearing.isEmpty
      ? "no speech to text is configured: name a service under stt in [voice]"
      : "no recorder was found: install one of pw-record, parecord, arecord, sox or ffmpeg, or set recorder in [voice]"
  }

  private var whyMute: String {
    settings.speaking.isEmpty
      ? "no text to speech is configured: name a service under tts in [voice]"
      : "no player was found: install one of pw-play, paplay, aplay, sox, mpv or ffplay, or set player in [voice]"
  }

  private func sayWhoseMicrophone() {
    guard !hasSaidRemote, let remote = host.environment["SSH_CONNECTION"], !remote.isEmpty,
      !(settings.recorder ?? "").contains("ssh ")
    else { return }
    hasSaidRemote = true
    say(
      "over SSH the microphone is that of the remote machine; recorder = \"ssh LAPTOP pw-record …\" in [voice] uses yours"
    )
  }

  private func sayConversation() {
    guard machine.isConversation else { return say("the conversation by voice is over") }
    say(
      settings.isEchoCancelled
        ? "conversation: speak, also to interrupt; V ends it"
        : "conversation: the microphone is closed while an answer is read aloud; V ends it")
  }

  // MARK: The answer

  package func answerBegan() {
    splitter = SentenceSplitter()
    spoken = []
    isAnswerSilent = false
    take(.answerBegan)
  }

  /// The whole text of the answer so far. What was said already is not said again.
  package func answer(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    // Where a corrected text differs, what follows is said from there on.
    let common = zip(spoken, scalars).prefix { $0 == $1 }.count
    guard scalars.count > common else { return }
    exchange?.reach(.firstToken, atNs: host.clock.nowNs)
    var new = String.UnicodeScalarView()
    new.append(contentsOf: scalars[common...])
    spoken = scalars
    take(.answerText)
    speak(splitter.take(String(new)))
  }

  package func answerEnded() {
    speak(splitter.finish())
    take(.answerEnded)
    endExchangeIfOver()
  }

  private func speak(_ pieces: [SentenceSplitter.Piece]) {
    guard board.canSpeak, !machine.isMuted, !isAnswerSilent else { return }
    for piece in pieces {
      guard let words = SpokenText.words(of: piece) else { continue }
      take(.speechQueued)
      player()?.say(words)
    }
  }

  private func player() -> SpeechOutput? {
    if let output { return output }
    guard let line = settings.player else { return nil }
    output = SpeechOutput(
      settings.speaking, player: VoiceProgram(line: line),
      requiresLocal: settings.requiresLocal, in: host
    ) { [weak self] in self?.hear($0) }
    return output
  }

  private func hear(_ event: SpeechOutput.Event) {
    switch event {
    case .began:
      exchange?.reach(.firstAudio, atNs: host.clock.nowNs)
      take(.speakingBegan)
    case .ended:
      take(.speakingEnded)
      endExchangeIfOver()
    case .failed(let problem): say("not read aloud: \(problem)")
    }
  }

  private func endExchangeIfOver() {
    guard machine.answer == .none, output?.isIdle ?? true, !machine.isTranscribing else { return }
    if !machine.isRecording { keepExchange() }
  }

  private func keepExchange() {
    if let exchange, exchange.has(.text) { board.waterfall.add(exchange) }
    exchange = nil
  }

  private func show(_ new: VoiceBoard) {
    guard new != board else { return }
    let isOther = new.phase != board.phase
    board = new
    if isOther { onPhase(new.phase) }
  }

  // MARK: Effects

  private func take(_ event: VoiceEvent) {
    for effect in machine.take(event) { carryOut(effect) }
    var board = board
    board.phase = machine.phase
    board.isConversation = machine.isConversation
    board.isMuted = machine.isMuted
    board.isRecording = machine.isRecording
    if !machine.isRecording { (board.levels, board.recordedMs) = ([], 0) }
    let wasIdle = self.board.phase == .idle
    show(board)
    if board.phase == .idle, !wasIdle { onIdle() }
  }

  private func carryOut(_ effect: VoiceEffect) {
    switch effect {
    case .startRecorder: startRecorder()
    case .transcribe: transcribe()
    case .dropRecording:
      recorder?.kill()
      recorder = nil
    case .stopTranscribing:
      transcriber.cancel()
      if let recording { host.removeRecording(recording) }
      recording = nil
    case .send(let text):
      guard !send(text) else { break }
      draft(text)
      for effect in machine.take(.notSent) { carryOut(effect) }
    case .draft(let text):
      draft(text)
      say("an answer is under way: what you said is in the input")
    case .stopSpeaking: output?.stop()
    case .silenceAnswer:
      isAnswerSilent = true
      output?.stop()
    }
  }

  private func startRecorder() {
    recorder?.kill()
    do throws(VoiceProblem) {
      recorder = try SpeechRecorder(
        VoiceProgram(line: settings.recorder ?? ""), waits: machine.isConversation, in: host
      ) { [weak self] in self?.hear($0) }
    } catch {
      recorder = nil
      say(error.description)
      // Not from within the machine's own step.
      _ = host.after(0) { [weak self] in self?.take(.recorderEnded(hasSpeech: false)) }
    }
    // In a conversation the next turn begins as soon as the last one was said.
    keepExchange()
    exchange = VoiceExchange(atMs: host.clock.wallMs)
  }

  private func hear(_ event: SpeechRecorder.Event) {
    switch event {
    case .level:
      exchange?.reach(.recording, atNs: host.clock.nowNs)
      board.levels = recorder?.levels ?? []
      board.recordedMs = recorder?.durationMs ?? 0
    case .speechBegan: take(.speechBegan)
    case .speechEnded: take(.speechEnded)
    case .failed(let problem, let hasSpeech):
      say(problem.description)
      take(.recorderEnded(hasSpeech: hasSpeech))
    }
  }

  private func transcribe() {
    let hasSpeech = recorder?.hasSpeech ?? false
    let samples = recorder?.stop() ?? []
    recorder = nil
    exchange?.reach(.recorded, atNs: host.clock.nowNs)
    guard hasSpeech else {
      say("nothing was heard")
      _ = host.after(0) { [weak self] in
        self?.take(.transcribed(""))
      }
      return
    }
    do throws(VoiceProblem) {
      recording = try host.keepRecording(WavAudio.file(.recorded, samples: samples))
    } catch {
      recording = nil
      say(error.description)
    }
    transcriber.start(samples, file: recording) { [weak self] in self?.transcribed($0) }
  }

  private func transcribed(_ result: Result<Transcriber.Transcript, VoiceProblem>) {
    let file = recording
    recording = nil
    switch result {
    case .success(let transcript):
      if let file { host.removeRecording(file) }
      exchange?.reach(.text, atNs: host.clock.nowNs)
      if transcript.text.isEmpty { say("no words were understood") }
      take(.transcribed(transcript.text))
    case .failure(let problem):
      say("\(problem)" + (file.map { "; the recording is kept in \($0)" } ?? ""))
      take(.notTranscribed)
    }
  }
}
