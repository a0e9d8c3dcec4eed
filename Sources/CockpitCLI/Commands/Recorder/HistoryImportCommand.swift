import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitText
import Foundation
import TerminalCore

/// `history import`: a bundle as a history of its own.
struct HistoryImportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Take a bundle, or JSON lines, into a history folder of its own.",
    usage: "clanky-cockpit history import FILE [NAME] [OPTIONS]",
    discussion: """
      FILE is a bundle of 'history export', its JSON lines, or lines of 'tail --json'. NAME is that of the \
      folder among the histories, by default that of the file. It never becomes part of another history. \
      'replay' opens the folder as it opens the file.
      """)

  @OptionGroup var shared: SharedOptions

  @Argument(help: ArgumentHelp("The bundle.", valueName: "FILE"), completion: .file())
  var file: String

  @Argument(help: ArgumentHelp("What the history is called.", valueName: "NAME"))
  var name: String?

  @Option(
    help: ArgumentHelp("The folder to make, instead of one among the histories.", valueName: "DIR"),
    completion: .directory)
  var folder: String?

  func validate() throws {
    guard let name else { return }
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), name.utf8.count <= 100 else {
      throw ValidationError("NAME is the name of a folder, without slashes")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let target: String
    if let folder {
      target = folder
    } else if let histories = settings.historiesFolder {
      let own = URL(filePath: file).deletingPathExtension().lastPathComponent
      target = histories + "/" + (name ?? (own.hasPrefix(".") ? "bundle" : own))
    } else {
      throw Failure(
        .usage,
        "there is no place for a history: \(settings.paths.remedy("XDG_STATE_HOME")); or name a folder with --folder"
      )
    }
    let file = file
    let result = await OwnThread.run { () -> Result<Int, HistoryError> in
      Result { () throws(HistoryError) in try HistoryImport.run(file, into: target) }
    }
    let rows = try reading { () throws(HistoryError) in try result.get() }
    environment.output.line(Figures.count(rows) + " rows in " + PlainText(target, limit: 600))
    environment.output.line(
      "clanky-cockpit replay '" + PlainText(target, limit: 600) + "' opens it")
  }
}
