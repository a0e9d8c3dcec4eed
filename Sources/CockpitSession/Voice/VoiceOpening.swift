import CockpitChat
import CockpitFiles
import CockpitPanes
import CockpitVoice
import CurlTransport
import ElevenLabsSource
import Foundation
import MainLoop
import Networking
import OpenClawSource
import TerminalCore
import VoicePipeline

extension VoiceHost {
  /// What the pipeline gets of this program.
  ///
  /// - Parameter gateway: synthesises by `tts.speak`; nil where none is talked to.
  package init(
    _ settings: Settings, on loop: any EventLoop, clock: any LinkClock,
    gateway: @escaping () -> GatewayChat?
  ) throws {
    self.init(
      loop: loop, clock: clock,
      transport: try CurlTransport(clock: clock, loop: loop, caFile: settings.caFile),
      environment: settings.process.variables
    ) { bytes throws(VoiceProblem) in
      do throws(FileError) {
        return try SafeFile.writeTemporary(bytes, suffix: ".wav")
      } catch {
        throw VoiceProblem(error.description)
      }
    } removeRecording: {
      SafeFile.remove($0)
    }
    let keys = VoiceKeys(settings)
    key = { service, done in
      Task {
        let result = await OwnThread.run { () -> Result<String?, FileError> in
          Result { () throws(FileError) in try keys.secret(of: service.name) }
        }
        done(result.mapError { VoiceProblem($0.description) })
      }
    }
    gatewaySpeech = { text, done in
      guard let gateway = gateway() else {
        return done(.failure(VoiceProblem("the gateway is not connected")))
      }
      gateway.speak(text) { result in
        done(
          result.mapError { VoiceProblem($0.sentence) }.flatMap { answer in
            SpeechRequests.audio(ofGateway: answer).map { .success($0) }
              ?? .failure(VoiceProblem("the gateway's answer has no audio"))
          })
      }
    }
  }
}

extension ChatDesk {
  /// Lets the conversations be held by voice, where the configuration has `[voice]`. Nothing is started.
  ///
  /// - Parameter onDraft: shows a text in the input.
  package func open(
    voice settings: Settings, on loop: any EventLoop, clock: any LinkClock,
    onDraft: @escaping (String) -> Void
  ) {
    guard let wanted = settings.voice else { return }
    do {
      let host = try VoiceHost(
        settings, on: loop, clock: clock
      ) { [weak self] in self?.backend as? GatewayChat }
      let pipeline = VoicePipeline(wanted, in: host)
      readsTyped = wanted.readsTyped
      pipeline.say = { [weak self] in self?.say(PlainText($0, limit: 400)) }
      pipeline.send = { [weak self] in self?.send(spoken: $0) ?? false }
      pipeline.draft = { [weak self] in
        guard let self else { return }
        onDraft(add(toDraft: $0))
      }
      if let chat = backend as? AgentChat {
        pipeline.converse { [unowned self] in
          SpokenConversation(
            chat.live, owner: sessionKey,
            isAnswering: { [weak self] in self.map { $0.answers[$0.current] != nil } ?? false }
          ) { [weak self] isAgent, text in
            self?.note(spoken: text, isAgent: isAgent)
          }
        }
      }
      if let note = VoiceNote(settings) { pipeline.onPhase = { note.save($0) } }
      voice = pipeline
    } catch {
      say(PlainText("voice is off: \(error)", limit: 200))
    }
  }

  /// Adds what was spoken to the draft of the shown channel.
  ///
  /// - Returns: the draft.
  private func add(toDraft text: String) -> String {
    let old = board?.draft ?? ""
    let draft = old.isEmpty || old.last?.isWhitespace ?? true ? old + text : "\(old) \(text)"
    perform(.draft(draft))
    return draft
  }
}
