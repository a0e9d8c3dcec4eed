/// The message chains on screen: each row around them is parsed once. A row may hold a prompt of a
/// megabyte, which takes a frame's time to parse.
///
/// `prepare` caches them; an unprepared chain is computed without storing it.
package struct TextChains: Sendable {
  private struct Read: Sendable {
    var version: ActionRowView.Version
    var row: ToolChain.TextRow
  }

  /// The rows around the chains that were prepared last.
  private var rows: [RowID: Read] = [:]
  private var chains: [RowID: ToolChain?] = [:]
  /// The log revision they were computed from.
  private var revision: Int?

  package init() {}

  /// As `ToolChain.text(of:in:)`.
  @MainActor package func chain(of row: RowID, in log: ActionLog) -> ToolChain? {
    if revision == log.revision, let chain = chains[row] { return chain }
    return ToolChain.text(of: row, in: log) { known($0) ?? ToolChain.TextRow($0) }
  }

  /// Makes the chains of some rows, and forgets the others.
  @MainActor package mutating func prepare(_ wanted: [RowID], in log: ActionLog) {
    if revision == log.revision, wanted.allSatisfy({ chains[$0] != nil }) { return }
    var read: [RowID: Read] = [:]
    var made: [RowID: ToolChain?] = [:]
    for row in wanted {
      let chain = ToolChain.text(of: row, in: log) { view in
        if let again = read[view.id] { return again.row }
        let row = known(view) ?? ToolChain.TextRow(view)
        read[view.id] = Read(version: view.version, row: row)
        return row
      }
      made.updateValue(chain, forKey: row)
    }
    (rows, chains, revision) = (read, made, log.revision)
  }

  @MainActor private func known(_ view: ActionRowView) -> ToolChain.TextRow? {
    guard let read = rows[view.id], read.version == view.version else { return nil }
    return read.row
  }
}
