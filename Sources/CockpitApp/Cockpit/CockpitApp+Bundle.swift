import CockpitDomain
import CockpitHistory
import CockpitPanes
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import TerminalCore
import TerminalCurses

/// One file of what was recorded before the playhead, or before now.
extension CockpitApp {
  package func carryOut(_ wish: BundleWish) {
    defer { frames?.setNeedsFrame(.key) }
    switch wish {
    case .stop:
      bundling?.cancel()
      (bundling, bundle, bundleRequest) = (nil, nil, nil)
    case .preview(let lengthMs, let note): preview(lengthMs: lengthMs, note: note)
    case .write: write()
    }
  }

  private func preview(lengthMs: Int64, note: String) {
    let toMs = replay?.atMs ?? model.bot.serverNowMs
    let day = settings.clock.day(ms: toMs).description
    let time = settings.clock.time(ms: toMs).description.filter(\.isNumber)
    // In the folder from which the program was started, as every file that is named.
    let path = FileManager.default.currentDirectoryPath + "/incident-\(day)-\(time).flight"
    bundle = BundleState(
      .reading, path: PlainText(path, limit: 400), length: Figures.age(ms: lengthMs),
      note: PlainText(note, limit: 200))
    let token = TokenSearch(connector.opened.settings)
    let request = BundleRequest(
      fromMs: max(0, toMs - lengthMs), toMs: toMs, note: note, version: version,
      createdMs: Int64(Date().timeIntervalSince1970 * 1000),
      findsSecret: token.finds)
    bundleRequest = (request, path, token.sentence(of: request.redaction))
    work { history throws(HistoryError) in
      .preview(Self.lines(try BundleExport.preview(history, request)))
    }
  }

  private func write() {
    guard let (request, path, checked) = bundleRequest, case .preview = bundle?.phase else {
      return
    }
    bundle?.phase = .writing
    let hasNotes = recording == nil
    work { history throws(HistoryError) in
      let report = try BundleExport.write(history, request, to: path)
      if hasNotes { try report.manifest.noteExport(to: path, in: history.path) }
      return .done([
        "written, " + Figures.bytes(report.bytes) + "; " + PlainText(checked, limit: 300),
        "clanky-cockpit replay shows it, on any machine and without a bot",
      ])
    }
  }

  /// Works on a thread of its own; the screen keeps running.
  private func work(
    _ body: @escaping @Sendable (HistoryFolder) throws(HistoryError) -> BundleState.Phase
  ) {
    bundling?.cancel()
    let history: any HistoryReading
    do throws(HistoryError) {
      history = try openHistory(connector.opened)
    } catch {
      bundle?.phase = .failed(PlainText("nothing to export: \(error.description)", limit: 300))
      return
    }
    guard let folder = history as? HistoryFolder else { return }
    bundling = Task {
      let result = await OwnThread.run { () -> Result<BundleState.Phase, HistoryError> in
        Result { () throws(HistoryError) in try body(folder) }
      }
      guard !Task.isCancelled, bundle != nil else { return }
      switch result {
      case .success(let phase): bundle?.phase = phase
      case .failure(let error): bundle?.phase = .failed(PlainText(error.description, limit: 300))
      }
      frames?.setNeedsFrame(.key)
    }
  }

  private nonisolated static func lines(_ report: BundleReport) -> [PlainText] {
    let manifest = report.manifest
    var lines: [PlainText] = [
      Figures.count(manifest.rows) + " rows, " + Figures.count(manifest.documents) + " documents, "
        + Figures.count(manifest.marks) + " marks, with what began up to 15 minutes before"
    ]
    lines += manifest.redactionLines.map { PlainText($0, limit: 300) }
    return lines
  }
}
