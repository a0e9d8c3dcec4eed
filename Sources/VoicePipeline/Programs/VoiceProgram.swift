package import Children

/// A command line that records, plays, transcribes or synthesises.
package struct VoiceProgram: Hashable, Sendable {
  /// For the shell, with `{rate}` and `{file}` where they are to stand.
  package var line: String

  package init(line: String) { self.line = line }

  /// What stands first in it, for messages.
  package var name: String {
    let word = line.split(separator: " ").first { !$0.contains("=") && $0 != "exec" }
    return word.flatMap { $0.split(separator: "/").last }.map(String.init) ?? line
  }

  /// - Parameters:
  ///   - rate: replaces `{rate}`, samples a second.
  ///   - file: replaces `{file}`, and is `$1` for the shell: no quoting by us.
  package func program(
    rate: Int? = nil, file: String? = nil, environment: [String: String]
  ) -> Program {
    var line = line
    if let rate { line = line.replacing("{rate}", with: "\(rate)") }
    if file != nil { line = line.replacing("{file}", with: "\"$1\"") }
    // A simple command takes the shell's place, so that signals reach it.
    let isSimple = !line.contains { "|&;<>()`\n{}!=".contains($0) } && !line.hasPrefix("exec ")
    return Program(
      path: "/bin/sh",
      arguments: ["-c", (isSimple ? "exec " : "") + line, "sh"] + (file.map { [$0] } ?? []),
      environment: environment)
  }

  /// Where its program is; nil if that is not found. Of a line for the shell it is the first one.
  package func path(_ environment: [String: String]) -> String? {
    let words = line.split(separator: " ").filter { !$0.contains("=") && $0 != "exec" }
    guard let word = words.first.map(String.init) else { return nil }
    guard word.hasPrefix("/") else { return Program.find(word, environment: environment) }
    let folder = String(word[..<(word.lastIndex(of: "/") ?? word.startIndex)])
    return Program.find(name, environment: ["PATH": folder])
  }

  package var takesFile: Bool { line.contains("{file}") }

  // MARK: What is used where nothing is configured

  private static let recorders = [
    ("pw-record", "pw-record --raw --format=s16 --rate=16000 --channels=1 -"),
    ("parecord", "parecord --raw --format=s16le --rate=16000 --channels=1"),
    ("arecord", "arecord -q -t raw -f S16_LE -r 16000 -c 1"),
    ("rec", "rec -q -t raw -e signed -b 16 -r 16000 -c 1 -"),
    (
      "ffmpeg",
      "ffmpeg -nostdin -loglevel error -f \(device) -ac 1 -ar 16000 -f s16le -"
    ),
  ]

  private static let players = [
    ("pw-play", "pw-play --raw --format=s16 --rate={rate} --channels=1 -"),
    ("paplay", "paplay --raw --format=s16le --rate={rate} --channels=1"),
    ("aplay", "aplay -q -t raw -f S16_LE -r {rate} -c 1 -"),
    ("play", "play -q -t raw -e signed -b 16 -r {rate} -c 1 -"),
    (
      "mpv",
      "mpv --really-quiet --no-video --demuxer=rawaudio --demuxer-rawaudio-format=s16le --demuxer-rawaudio-rate={rate} --demuxer-rawaudio-channels=1 -"
    ),
    (
      "ffplay",
      "ffplay -nodisp -autoexit -loglevel error -f s16le -ar {rate} -ac 1 -i -"
    ),
  ]

  private static let synthesisers = [
    ("espeak-ng", "espeak-ng --stdout --stdin"),
    ("flite", "flite -f /dev/stdin -o /dev/stdout"),
    (
      "say",
      "f=$(mktemp -d) && say -o \"$f/a.wav\" --data-format=LEI16@22050 -f - && cat \"$f/a.wav\"; rm -rf \"$f\""
    ),
  ]

  private static var device: String {
    #if os(macOS)
      "avfoundation -i :0"
    #else
      "pulse -i default"
    #endif
  }

  /// The first recorder that is installed.
  package static func recorder(_ environment: [String: String]) -> VoiceProgram? {
    installed(recorders, environment)
  }

  /// The first player that is installed.
  package static func player(_ environment: [String: String]) -> VoiceProgram? {
    installed(players, environment)
  }

  /// The command of a synthesiser that is known by name.
  package static func synthesiser(_ name: String) -> VoiceProgram? {
    synthesisers.first { $0.0 == name }.map { VoiceProgram(line: $0.1) }
  }

  /// The name of the first synthesiser that is installed.
  package static func installedSynthesiser(_ environment: [String: String]) -> String? {
    synthesisers.first { Program.find($0.0, environment: environment) != nil }?.0
  }

  package static let recorderNames = recorders.map(\.0)
  package static let playerNames = players.map(\.0)
  package static let synthesiserNames = synthesisers.map(\.0)

  private static func installed(
    _ candidates: [(String, String)], _ environment: [String: String]
  ) -> VoiceProgram? {
    candidates.first { Program.find($0.0, environment: environment) != nil }.map {
      VoiceProgram(line: $0.1)
    }
  }
}
