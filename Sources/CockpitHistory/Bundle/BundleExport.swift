internal import CockpitFiles
internal import Foundation

/// What an export has done, or would do.
package struct BundleReport: Sendable {
  package var manifest: BundleManifest
  /// Examples of what is replaced, for the preview.
  package var samples: [String: [RedactionCounts.Sample]]
  /// Size of the file; nil for a preview.
  package var bytes: Int?
}

/// Exports a stretch of a history as one file that opens elsewhere.
package enum BundleExport {
  /// Examples of each class in a preview.
  private static let sampleCount = 3

  /// What would be in the file, and what would be replaced in it.
  package static func preview(
    _ history: HistoryFolder, _ request: BundleRequest
  ) throws(HistoryError) -> BundleReport {
    var pass = try BundlePass(history, request, samples: sampleCount)
    try pass.run { _ throws(HistoryError) in }
    return BundleReport(manifest: pass.manifest, samples: pass.samples)
  }

  /// Writes a bundle, reads it back, and removes it if anything that was to be replaced is still in it.
  ///
  /// - Parameter path: a file that is not there yet.
  package static func write(
    _ history: HistoryFolder, _ request: BundleRequest, to path: String
  ) throws(HistoryError) -> BundleReport {
    let place = try BundlePlace(beside: path)
    defer { place.remove() }
    var pass = try BundlePass(history, request, samples: sampleCount)
    let file = place.file(DayName(ms: request.fromMs))
    try HistoryFiles.secure(file)
    do throws(DatabaseFailure) {
      let writer = try DayWriter(
        DayName(ms: request.fromMs), in: place.folder, after: max(0, pass.firstSeq - 1))
      var batch = RecorderBatch()
      try pass.write(into: writer, &batch)
    } catch {
      throw HistoryError(error.isDamage ? .damaged : .disk, error.words(file))
    }
    if let failure = pass.failure { throw failure }
    try BundleCheck(pass.known, request).check(file)
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw HistoryError(.disk, "'\(file)' cannot be read back")
    }
    try place.keep([UInt8](bytes), as: path)
    return BundleReport(manifest: pass.manifest, samples: pass.samples, bytes: bytes.count)
  }

  /// Writes the records as JSON lines for other tools: the first is the manifest, rows are those of `tail --json`.
  package static func writeLines(
    _ history: HistoryFolder, _ request: BundleRequest, to path: String
  ) throws(HistoryError) -> BundleReport {
    let place = try BundlePlace(beside: path)
    defer { place.remove() }
    var pass = try BundlePass(history, request, samples: sampleCount)
    var lines: [UInt8] = []
    try pass.run { record throws(HistoryError) in
      guard let line = BundleLine.line(record) else { return }
      lines += line
      lines.append(UInt8(ascii: "\n"))
    }
    for mark in pass.marks { lines += BundleLine.line(mark) + [UInt8(ascii: "\n")] }
    let all = pass.manifest.json + [UInt8(ascii: "\n")] + lines
    try BundleCheck(pass.known, request)
      .check(lines: all)
    try place.keep(all, as: path)
    return BundleReport(manifest: pass.manifest, samples: pass.samples, bytes: all.count)
  }
}

/// Where a file is written before it has its name: a folder of its own beside it, for its owner alone.
struct BundlePlace {
  let folder: String

  /// - Parameter path: a file that is not there yet.
  init(beside path: String) throws(HistoryError) {
    guard !SafeFile.exists(path) else {
      throw HistoryError(.refused, "'\(path)' exists; name another file")
    }
    let parent = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    guard HistoryFiles.isFolder(parent) else {
      throw HistoryError(.refused, "there is no folder '\(parent)'; make it first")
    }
    folder =
      (parent.hasSuffix("/") ? parent : parent + "/")
      + ".clanky-export-\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))"
    do throws(FileError) {
      try SafeFile.makeFolder(folder)
    } catch {
      throw HistoryError(.refused, error.description)
    }
  }

  func file(_ day: DayName) -> String { folder + "/" + day.fileName }

  func keep(_ bytes: [UInt8], as path: String) throws(HistoryError) {
    do throws(FileError) {
      try OutputFile.replace(path, with: bytes, instead: "name a file")
    } catch {
      throw HistoryError(.disk, error.description)
    }
  }

  func remove() {
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      // Nothing that can be done about it; the name tells what it is.
    }
  }
}
