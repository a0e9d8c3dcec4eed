import ClankyWire
import CockpitFiles
import CockpitStores
import Foundation
import TerminalCore

/// Writes the stored rows to a file, for EXPORT ROWS on CMD.
@MainActor
package struct RowExport {
  package let log: ActionLog
  /// Whose rows are written.
  package var scope = GuildScope.all

  /// Writes them, newest first, one JSON object to a line, as `tail --json` has them; mode 0600.
  ///
  /// - Parameter path: as the user typed it; `~/` is the home folder.
  /// - Returns: how it went, in one sentence.
  package func write(to path: String) -> PlainText {
    var bytes: [UInt8] = []
    var count = 0
    for index in 0..<log.count {
      let row = log.row(at: index)
      guard row.gap == nil, row.isIn(scope),
        let line = row.withRaw({ ActionJSON.line(raw: $0, id: row.actionID) })
      else { continue }
      bytes += line
      bytes.append(UInt8(ascii: "\n"))
      count += 1
    }
    let path = (path as NSString).expandingTildeInPath
    do throws(FileError) {
      guard !OutputFile.isStandardOutput(path) else {
        throw FileError("'\(path)' is standard output, which is the screen here; name a file")
      }
      try OutputFile.replace(path, with: bytes, instead: "name a file")
      return PlainText("\(count) rows written to \(path)", limit: 400)
    } catch {
      return PlainText("nothing was exported: \(error.description)", limit: 400)
    }
  }
}
