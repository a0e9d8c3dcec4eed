import CockpitFiles
import Foundation
import TerminalCore

/// The keys that tmux keeps for itself.
enum TmuxPrefix {
  /// What the running tmux says; what it does by default when there is none, for it may be used
  /// another day.
  static func read(_ environment: [String: String]) -> [KeyChord] {
    let standard: [KeyChord] = ["C-b"]
    guard !(environment["TMUX"] ?? "").isEmpty else { return standard }
    let command = "tmux show -gv prefix; tmux show -gv prefix2"
    let said = (try? QuietCommand.run(command)) ?? ""
    let chords = said.split(separator: "\n").filter { $0 != "None" }
      .compactMap { try? KeyChord(parsing: String($0)) }
    return said.isEmpty ? standard : chords
  }
}

/// A command whose answer is nice to have.
private enum QuietCommand {
  static func run(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = ProcessEnvironment.current.filter { $0.key != "CLANKY_TOKEN" }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
