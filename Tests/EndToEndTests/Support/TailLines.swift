import Foundation
import Testing

/// The lines of `tail --json`, read with Foundation's JSON.
struct TailLines {
  private(set) var objects: [[String: Any]] = []
  private(set) var actions = ActionCounts()

  init(_ lines: [Substring], sourceLocation: SourceLocation = #_sourceLocation) {
    for line in lines {
      do {
        let object = try #require(try PlainAction.objects(String(line)).first)
        objects.append(object)
        if object["type"] as? String == "action" { actions.add(try PlainAction(object)) }
      } catch {
        Issue.record("no JSON object: \(line.prefix(200))", sourceLocation: sourceLocation)
      }
    }
  }

  func count(_ type: String) -> Int { objects.count { $0["type"] as? String == type } }
}
