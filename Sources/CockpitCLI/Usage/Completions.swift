import CockpitSession
import ArgumentParser
import CockpitFiles
import CockpitThemes
import Foundation

/// Shell completions from this machine's files. TAB never waits for a backend, and an unreadable
/// file completes to nothing.
enum Completions {
  static let profiles = CompletionKind.custom { words, _, _ in
    let environment = ProcessEnvironment.current
    let paths = Paths(environment: environment, executable: nil)
    let named = words.firstIndex(of: "--config").map { words.index(after: $0) }
    let file = named.flatMap { words.indices.contains($0) ? words[$0] : nil } ?? paths.configFile
    guard let file, let configuration = try? Configuration.load(path: file, isRequired: false)
    else { return [] }
    return configuration.profiles.keys.sorted()
  }

  static let themes = CompletionKind.custom { _, _, _ in
    let paths = Paths(
      environment: ProcessEnvironment.current, executable: ProgramFile.path)
    let files = paths.themeFolders.flatMap {
      (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
    }
    let own = files.filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }
    return Set(EmbeddedThemes.names + own + ["auto"]).sorted()
  }
}
