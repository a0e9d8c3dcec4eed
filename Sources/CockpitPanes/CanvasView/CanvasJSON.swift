import CockpitStores
import LenientJSON
import TerminalCore

/// The raw document of a canvas as lines, to be read: long contents are cut.
package enum CanvasJSON {
  /// Characters of a content that are shown.
  static let maximumContent = 200

  package static func lines(_ board: CanvasBoard) -> [PlainText] {
    var lines: [PlainText] = ["{"]
    func member(_ name: String, _ value: JSONValue, _ indent: Int, isLast: Bool = false) {
      lines.append(
        .spaces(indent) + PlainText("\"\(name)\": " + value.serialized(), limit: 2_000)
          + (isLast ? "" : ","))
    }
    if let agent = board.agent { member("agent", .string(agent), 2) }
    if let changed = board.changedMs { member("changed_ms", .integer(changed), 2) }
    member("transition", .string(board.transition), 2)
    if !board.leftOut.isEmpty {
      member("left_out", .body(board.leftOut.map { ($0.reason, .integer($0.count)) }), 2)
    }
    lines.append("  \"elements\": [")
    for (index, element) in board.elements.enumerated() {
      lines.append("    {")
      member("id", .string(element.id), 6)
      member("type", .string(element.kind.name), 6)
      let bounds = element.bounds
      member(
        "bounds",
        .body([
          ("x", .finite(bounds.x)), ("y", .finite(bounds.y)), ("width", .finite(bounds.width)),
          ("height", .finite(bounds.height)),
        ]), 6)
      member("content", .string(shortened(element.content)), 6)
      if !element.style.isEmpty {
        member(
          "style",
          .body(
            element.style.sorted { $0.key < $1.key }.map { ($0.key, .string(shortened($0.value))) }),
          6)
      }
      member("interactive", .bool(element.isInteractive), 6, isLast: true)
      lines.append(index == board.elements.count - 1 ? "    }" : "    },")
    }
    return lines + ["  ]", "}"]
  }

  private static func shortened(_ text: String) -> String {
    let count = text.utf8.count
    return count <= maximumContent
      ? text : String(text.prefix(maximumContent)) + "… (\(count) bytes)"
  }
}
