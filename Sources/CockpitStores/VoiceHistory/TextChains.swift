/// The chain of a message as it is asked for with every frame: each row around it is read once. A row may
/// hold a prompt of a megabyte, which takes a frame's time to read.
@MainActor
package final class TextChains {
  /// Those of the last chain.
  private var known: [RowID: (version: ActionRowView.Version, row: ToolChain.TextRow)] = [:]

  /// Nothing is known yet.
  package nonisolated init() {}

  /// As `ToolChain.text(of:in:)`.
  package func chain(of row: RowID, in log: ActionLog) -> ToolChain? {
    var read: [RowID: (version: ActionRowView.Version, row: ToolChain.TextRow)] = [:]
    defer { known = read }
    return ToolChain.text(of: row, in: log) { view in
      if let again = read[view.id] { return again.row }
      let version = view.version
      let row = known[view.id].flatMap { $0.version == version ? $0.row : nil }
      let result = row ?? ToolChain.TextRow(view)
      read[view.id] = (version, result)
      return result
    }
  }
}
