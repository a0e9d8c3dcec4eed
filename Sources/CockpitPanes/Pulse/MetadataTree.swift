import CockpitText
import LenientJSON
import TerminalCore

/// A JSON value as a tree of lines; containers and long texts fold.
struct MetadataTree {
  let view: DetailView
  let width: Int

  /// Members of one container that are listed: a hostile row may have a million.
  static let memberLimit = 500

  func lines(
    _ value: JSONValue, path: String = "m", keys: [String] = [], indent: Int
  ) -> [DetailLine] {
    switch value {
    case .object(let object):
      return object.members.prefix(Self.memberLimit).flatMap { member in
        entry(
          member.key, member.value, path: "\(path).\(member.key)", keys: keys + [member.key],
          indent: indent)
      } + more(object.count, indent: indent)
    case .array(let array):
      return array.prefix(Self.memberLimit).enumerated().flatMap { index, element in
        entry(
          "\(index)", element, path: "\(path).\(index)", keys: keys + ["\(index)"], indent: indent)
      } + more(array.count, indent: indent)
    default: return entry("", value, path: path, keys: keys, indent: indent)
    }
  }

  private func more(_ count: Int, indent: Int) -> [DetailLine] {
    guard count > Self.memberLimit else { return [] }
    let text = PlainText("\(count - Self.memberLimit) more, in raw JSON (J)")
    return [DetailLine([.init(text, .muted)], indent: indent)]
  }

  /// The lines of one member; each refers back to it.
  private func entry(
    _ key: String, _ value: JSONValue, path: String, keys: [String], indent: Int
  ) -> [DetailLine] {
    let member = DetailLine.Member(path: keys, value: value)
    return drawn(key, value, path: path, keys: keys, indent: indent).map { line in
      guard line.member == nil else { return line }
      var line = line
      line.member = member
      return line
    }
  }

  private func drawn(
    _ key: String, _ value: JSONValue, path: String, keys: [String], indent: Int
  ) -> [DetailLine] {
    let name = PlainText(key, limit: 60)
    let isOpen = view.unfolded.contains(path)
    func fold(_ summary: PlainText) -> DetailLine {
      DetailLine(
        [.init(name, .muted), .init(summary, .faint)], indent: indent, fold: path, isOpen: isOpen)
    }
    switch value {
    case .object(let object) where !object.isEmpty:
      let head = fold(PlainText("{\(object.count)}"))
      return isOpen ? [head] + lines(value, path: path, keys: keys, indent: indent + 1) : [head]
    case .array(let array) where !array.isEmpty:
      let head = fold(PlainText("[\(array.count)]"))
      return isOpen ? [head] + lines(value, path: path, keys: keys, indent: indent + 1) : [head]
    case .string(let text) where text.utf16.count > 200 || text.contains("\n"):
      let head = DetailLine(
        [
          .init(name, .muted), .init(Figures.short(Double(text.utf16.count)) + " ch", .faint),
          .init(PlainText(text, limit: 60), .text),
        ], indent: indent, fold: path, isOpen: isOpen)
      guard isOpen else { return [head] }
      let room = max(8, width - 2 * (indent + 1))
      return [head]
        + PlainText.lines(text, limit: 2000).flatMap { $0.wrapped(to: room, limit: 400) }
        .map { DetailLine([.init($0)], indent: indent + 1) }
    case .string(let text):
      return scalar(name, PlainText(text), .text, indent: indent)
    case .number(let number):
      return scalar(name, PlainText(number.text, limit: 200), .number, indent: indent)
    case .bool(let bool):
      return scalar(name, bool ? "true" : "false", bool ? .positive : .muted, indent: indent)
    case .null: return scalar(name, "null", .faint, indent: indent)
    case .object: return scalar(name, "{}", .faint, indent: indent)
    case .array: return scalar(name, "[]", .faint, indent: indent)
    }
  }

  private func scalar(_ name: PlainText, _ value: PlainText, _ role: Role, indent: Int)
    -> [DetailLine]
  {
    let room = width - 2 * indent - name.columns - 1
    guard view.isWrapping, value.columns > room else {
      return [DetailLine([.init(name, .muted), .init(value, role)], indent: indent)]
    }
    guard room >= 12 else {
      return [DetailLine([.init(name, .muted)], indent: indent)]
        + value.wrapped(to: max(8, width - 2 * (indent + 1)), limit: 40).map {
          DetailLine([.init($0, role)], indent: indent + 1)
        }
    }
    let parts = value.wrapped(to: room, limit: 40)
    let blank = ("" as PlainText).padded(to: name.columns)
    return parts.enumerated().map { index, part in
      DetailLine([.init(index == 0 ? name : blank, .muted), .init(part, role)], indent: indent)
    }
  }
}
