import ArgumentParser
import Foundation

/// Writes the corpus into files, to try something with it by hand.
struct CorpusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "Write generated actions as JSON lines and as a stream.")

  @Argument(help: "The folder of the files.") var folder: String
  @Option var actions = 100_000

  func run() throws {
    let files = try CorpusFiles.write(actions: actions, directory: folder, name: "corpus")
    print("\(files.lines): \(files.actions) actions, \(files.rawBytes) bytes")
  }
}
