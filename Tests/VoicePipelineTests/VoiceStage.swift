import CockpitVoice
import CurlTransport
import Foundation
import MainLoop
import Networking
import Testing
import VoicePipeline

/// A folder with programs that stand for microphone, loudspeaker and speech services, each of which writes down what
/// it does.
@MainActor
final class VoiceStage {
  let folder: String
  let clock = DispatchClock()
  private(set) var host: VoiceHost
  private(set) var removed: [String] = []

  /// What was said to the user, and what the agent was sent.
  var said: [String] = []
  var sent: [String] = []
  var drafts: [String] = []
  private var waiting: [(condition: () -> Bool, resume: CheckedContinuation<Bool, Never>)] = []

  init(environment: [String: String] = [:]) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/voice-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    self.folder = folder
    var variables = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "D": folder]
    variables.merge(environment) { $1 }
    host = VoiceHost(
      loop: DispatchLoop(), clock: clock, transport: try CurlTransport(clock: clock),
      environment: variables
    ) { bytes throws(VoiceProblem) in
      let path = folder + "/kept.wav"
      guard
        FileManager.default.createFile(
          atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
      else { throw VoiceProblem("no file") }
      return path
    } removeRecording: {
      try? FileManager.default.removeItem(atPath: $0)
    }
  }

  isolated deinit { try? FileManager.default.removeItem(atPath: folder) }

  func change(_ body: (inout VoiceHost) -> Void) { body(&host) }

  /// A shell script of this folder.
  func script(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  func bytes(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: "\(folder)/\(name)").map(Array.init) ?? []
  }

  func lines(_ name: String) -> [String] {
    String(decoding: bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }

  /// Waits until a condition holds, looked at after each note and every 5 ms: files change without an event.
  func until(
    _ what: String, seconds: Double = 20, _ condition: @escaping () -> Bool,
    at location: SourceLocation = #_sourceLocation
  ) async {
    let end = ContinuousClock.now + .seconds(seconds)
    while !condition() {
      guard ContinuousClock.now < end else {
        Issue.record("not in time: \(what); said \(said)", sourceLocation: location)
        return
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  func pipeline(
    _ settings: VoiceSettings, transcriptionDeadlineMs: UInt64 = 20_000
  ) -> VoicePipeline {
    let pipeline = VoicePipeline(
      settings, in: host, transcriptionDeadlineMs: transcriptionDeadlineMs)
    pipeline.say = { [weak self] in self?.said.append($0) }
    pipeline.draft = { [weak self] in self?.drafts.append($0) }
    pipeline.send = { [weak self] in
      self?.sent.append($0)
      return true
    }
    return pipeline
  }

  // MARK: Programs

  /// Half a second of a quiet room, a second of a voice, and a room again, then silence without an end.
  static let speech: [UInt8] =
    noise(ms: 500, amplitude: 0.002) + noise(ms: 1_000, amplitude: 0.3)
    + noise(ms: 1_200, amplitude: 0.002)

  static func noise(ms: Int, amplitude: Double, rate: Int = 16_000) -> [UInt8] {
    var state: UInt64 = 88
    return (0..<(ms * rate / 1_000)).flatMap { _ -> [UInt8] in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Double(Int64(bitPattern: state) >> 32) / 2_147_483_648
      let sample = Int16(value * amplitude * 32_767)
      return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
  }

  /// Settings with programs that work: what is heard is `hello there`, each sentence sounds for 50 ms.
  func settings() throws -> VoiceSettings {
    try write("speech.raw", Self.speech)
    try write(
      "tone.wav",
      WavAudio.file(
        AudioFormat(rate: 8_000), samples: Self.noise(ms: 50, amplitude: 0.5, rate: 8_000)))
    var settings = VoiceSettings()
    settings.recorder = try script(
      "recorder", "echo start >>$D/recorder.log; cat $D/speech.raw; exec sleep 60")
    settings.player = try script(
      "player", "echo \"$1 $$\" >>$D/player.log; cat >>$D/played.raw; echo end >>$D/player.log")
    settings.player = (settings.player ?? "") + " {rate}"
    settings.hearing = [
      VoiceService(
        name: "ears",
        kind: .command(
          try script("transcriber", "cat >$D/heard.wav; echo ' hello'; echo 'there '")))
    ]
    settings.speaking = [
      VoiceService(
        name: "mouth",
        kind: .command(try script("mouth", "cat >>$D/mouth.log; cat $D/tone.wav")))
    ]
    return settings
  }
}

/// Whether a process is there.
func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 }
