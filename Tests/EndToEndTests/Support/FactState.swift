import Foundation
import Testing

/// What the program left in its state directory: drafts and the journal, read with Foundation's
/// JSON instead of the program's own parser.
struct FactState {
  let folder: String

  init(_ home: TemporaryFolder) { folder = "\(home.path)/.local/state/clanky-cockpit" }

  /// The names of the drafts; what is being written or was set aside does not count.
  var drafts: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/drafts")) ?? []
    return names.filter { !$0.hasPrefix(".") && !$0.contains("unreadable") }.sorted()
  }

  /// The texts of all drafts.
  var draftText: String {
    drafts.compactMap { try? String(contentsOfFile: "\(folder)/drafts/\($0)", encoding: .utf8) }
      .joined(separator: "\n")
  }

  var journalText: String {
    (try? String(contentsOfFile: "\(folder)/journal.jsonl", encoding: .utf8)) ?? ""
  }

  /// The lines of the journal, oldest first; each one has to be a JSON object.
  func journal(sourceLocation: SourceLocation = #_sourceLocation) -> [[String: Any]] {
    journalText.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      if object == nil {
        Issue.record("no JSON object in the journal: \(line)", sourceLocation: sourceLocation)
      }
      return object
    }
  }

  /// The outcomes of the journal in order, such as `sending`, `stored`.
  var outcomes: [String] { journal().compactMap { $0["outcome"] as? String } }

  /// Checks that no other user can read any of it, and that no file has the token (promise P7).
  func expectPrivate(sourceLocation: SourceLocation = #_sourceLocation) {
    let manager = FileManager.default
    let names = (manager.enumerator(atPath: folder)?.allObjects as? [String] ?? []) + ["."]
    for name in names {
      let path = "\(folder)/\(name)"
      guard let attributes = try? manager.attributesOfItem(atPath: path) else { continue }
      let mode = (attributes[.posixPermissions] as? Int) ?? 0
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      #expect(
        mode == (isFolder ? 0o700 : 0o600), "\(name) has mode \(String(mode, radix: 8))",
        sourceLocation: sourceLocation)
      guard !isFolder, let bytes = manager.contents(atPath: path) else { continue }
      #expect(
        bytes.range(of: Data(FactServer.token.utf8)) == nil, "\(name) has the token",
        sourceLocation: sourceLocation)
    }
  }
}
