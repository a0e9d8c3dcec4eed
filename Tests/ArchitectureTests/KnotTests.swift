import Foundation
import Testing

/// Inside a target the types form a graph too. Files that all name each other, directly or through others, can
/// only be read together.
@Suite struct KnotTests {
  /// Files that may name each other in a circle; `Type+Aspect.swift` counts as one with `Type.swift`.
  private static let limit = 5

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  @Test("no more than five files of a target name each other in a circle")
  func knots() throws {
    let targets = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path())
    #expect(targets.count > 20)
    for target in targets.sorted() {
      let largest = try Self.knots(of: target).max { $0.count < $1.count } ?? []
      print("knots: \(target): \(largest.count) \(largest.sorted().joined(separator: " "))")
      #expect(largest.count <= Self.limit, "\(target): \(largest.sorted())")
    }
  }

  private static func knots(of target: String) throws -> [[String]] {
    let folder = sources.appending(path: target)
    var words: [String: SwiftWords] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    where path.hasSuffix(".swift") {
      let text = try Data(contentsOf: folder.appending(path: path))
      let name = path.split(separator: "/").last?.dropLast(6).split(separator: "+").first
      words[name.map(String.init) ?? path, default: SwiftWords()].read(Array(text))
    }
    var owners: [String: String] = [:]
    for (file, words) in words { for type in words.declared { owners[type] = file } }
    var graph: [String: Set<String>] = [:]
    for (file, words) in words {
      graph[file] = Set(words.used.compactMap { owners[$0] }).subtracting([file])
    }
    var search = CircleSearch(graph)
    return search.run().filter { $0.count > 1 }
  }
}

/// The types that a file declares at its top, and all names that begin like one; comments and strings left
/// out.
private struct SwiftWords {
  var declared: Set<String> = []
  var used: Set<String> = []

  private static let keywords: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  mutating func read(_ text: [UInt8]) {
    var at = 0
    var depth = 0
    var before = ""
    func starts(_ with: StaticString) -> Bool {
      at + with.utf8CodeUnitCount <= text.count
        && (0..<with.utf8CodeUnitCount).allSatisfy { text[at + $0] == with.utf8Start[$0] }
    }
    func skip(to end: StaticString, escapes: Bool = false) {
      while at < text.count, !starts(end) {
        at += escapes && text[at] == UInt8(ascii: "\\") ? 2 : 1
      }
      at += end.utf8CodeUnitCount
    }
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "/") where starts("//"): skip(to: "\n")
      case UInt8(ascii: "/") where starts("/*"): skip(to: "*/")
      case UInt8(ascii: "\"") where starts("\"\"\""):
        at += 3
        skip(to: "\"\"\"", escapes: true)
      case UInt8(ascii: "\""):
        at += 1
        skip(to: "\"", escapes: true)
      case UInt8(ascii: "{"):
        depth += 1
        at += 1
      case UInt8(ascii: "}"):
        depth -= 1
        at += 1
      case let byte where Self.isLetter(byte):
        let start = at
        while at < text.count, Self.isLetter(text[at]) || (48...57).contains(text[at]) { at += 1 }
        let word = String(decoding: text[start..<at], as: UTF8.self)
        if depth == 0, Self.keywords.contains(before) { declared.insert(word) }
        if (65...90).contains(text[start]) { used.insert(word) }
        before = word
      default: at += 1
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
  }
}

/// The strongly connected components of a graph (Tarjan 1972).
private struct CircleSearch {
  private let graph: [String: Set<String>]
  private var indices: [String: Int] = [:]
  private var lowest: [String: Int] = [:]
  private var stack: [String] = []
  private var found: [[String]] = []

  init(_ graph: [String: Set<String>]) { self.graph = graph }

  mutating func run() -> [[String]] {
    for node in graph.keys.sorted() where indices[node] == nil { visit(node) }
    return found
  }

  private mutating func visit(_ node: String) {
    let index = indices.count
    indices[node] = index
    lowest[node] = index
    stack.append(node)
    for next in graph[node, default: []].sorted() {
      if indices[next] == nil {
        visit(next)
        lowest[node] = min(lowest[node, default: index], lowest[next, default: index])
      } else if stack.contains(next) {
        lowest[node] = min(lowest[node, default: index], indices[next, default: index])
      }
    }
    guard lowest[node] == index, let start = stack.firstIndex(of: node) else { return }
    found.append(Array(stack[start...]))
    stack.removeSubrange(start...)
  }
}
