import ClankyWire
import CockpitFiles
import CockpitStores
import TerminalCore

extension CockpitModel {
  /// Writes every entry of the history to a file too, cleaned: it is read on a terminal.
  package func keepHistory(in log: ClientLog) {
    history.onEntry = { entry in
      let words = PlainText(entry.text, limit: 2000)
      let line =
        "\(WireTime(milliseconds: entry.atMs).iso) \(entry.severity.rawValue) \(words.description)"
      log.append(Array(line.utf8))
    }
  }
}
