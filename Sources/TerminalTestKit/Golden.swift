import Foundation
import TerminalCore

// Not there beside a statically linked standard library. The benchmark is built so, and uses the
// virtual terminal only.
#if canImport(Testing)
  import Testing

  /// Compares a canvas with `Goldens/<name>.txt` of the test target, whichever of its folders the test is in.
  ///
  /// `RECORD_GOLDENS=1 swift test` rewrites the files; read the diff before you commit it.
  package func expectGolden(
    _ canvas: Canvas, _ name: String, testFile: StaticString = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expectGolden(
      text: canvas.golden, name, testFile: testFile, sourceLocation: sourceLocation)
  }

  /// The same for text that is not a canvas, such as its colours.
  package func expectGolden(
    text actual: String, _ name: String, testFile: StaticString = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var target = URL(filePath: "\(testFile)").deletingLastPathComponent()
    while target.deletingLastPathComponent().lastPathComponent != "Tests", target.path() != "/" {
      target.deleteLastPathComponent()
    }
    let folder = target.appending(path: "Goldens")
    let file = folder.appending(path: "\(name).txt")

    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file)
      return
    }
    guard let data = try? Data(contentsOf: file) else {
      Issue.record(
        "\(name) has no golden; record it with RECORD_GOLDENS=1", sourceLocation: sourceLocation)
      return
    }
    let expected = String(decoding: data, as: UTF8.self)
    guard actual != expected else { return }
    Issue.record(
      "\(name) changed: \(firstDifference(expected, actual))", sourceLocation: sourceLocation)
  }
#endif

/// The first line that differs, with its number.
func firstDifference(_ expected: String, _ actual: String) -> String {
  let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
  let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
  for index in 0..<max(old.count, new.count) {
    let before = index < old.count ? String(old[index]) : "(no such line)"
    let after = index < new.count ? String(new[index]) : "(no such line)"
    if before != after { return "line \(index + 1)\n  expected \(before)\n  actual   \(after)" }
  }
  return "only in line ends"
}
