import CockpitFiles
import CockpitSession

/// Reading a journal of the state directory, for the verbs that print one.
enum JournalLines {
  /// Prints the last lines of a journal, and how many of them could not be read.
  ///
  /// - Parameters:
  ///   - open: the journal in the state directory.
  ///   - entry: reads a line; nil if it is none.
  static func write<Entry>(
    last count: Int, _ settings: Settings, in environment: Environment,
    open: (_ state: String) -> JournalFile, entry: (_ line: [UInt8]) -> Entry?,
    write: (Entry) -> Void
  ) throws {
    guard let state = settings.paths.state else {
      throw Failure(
        .failed,
        "There is no state directory and so no journal: \(settings.paths.remedy("XDG_STATE_HOME"))."
      )
    }
    let lines: [[UInt8]]
    do throws(FileError) {
      lines = try open(state).last(count)
    } catch {
      throw Failure(.failed, error.description)
    }
    let entries = lines.compactMap(entry)
    entries.forEach(write)
    if entries.count < lines.count {
      environment.output.complain(
        "\(lines.count - entries.count) lines of the journal could not be read and are left out.")
    }
  }
}
