/// Finds names in text: whole words only, longest match first, ignoring case.
package struct NameMatcher: Sendable {
  private struct Node: Sendable {
    var next: [UInt32: Int] = [:]
    /// The index of the name that ends here.
    var name: Int?
  }

  private var nodes = [Node()]
  /// The names, as they were added.
  package private(set) var names: [String] = []

  package var isEmpty: Bool { names.isEmpty }

  package init(_ names: some Sequence<String> = []) {
    for name in names { add(name) }
  }

  /// Adds a name. Of two that differ in case only the first one counts.
  package mutating func add(_ name: String) {
    let scalars = FoldedText.scalars(name).folded
    guard !scalars.isEmpty else { return }
    var at = 0
    for scalar in scalars {
      if let next = nodes[at].next[scalar.value] {
        at = next
      } else {
        nodes.append(Node())
        nodes[at].next[scalar.value] = nodes.count - 1
        at = nodes.count - 1
      }
    }
    guard nodes[at].name == nil else { return }
    nodes[at].name = names.count
    names.append(name)
  }

  /// The longest name that begins at a place and ends with a word.
  ///
  /// - Parameter text: folded scalars.
  func match(in text: [Unicode.Scalar], at start: Int) -> (name: Int, end: Int)? {
    guard let first = text[safe: start], nodes[0].next[first.value] != nil,
      isBoundary(text[safe: start - 1], first)
    else { return nil }
    var node = 0
    var at = start
    var found: (name: Int, end: Int)?
    while at < text.count, let next = nodes[node].next[text[at].value] {
      node = next
      at += 1
      if let name = nodes[node].name, isBoundary(text[at - 1], text[safe: at]) {
        found = (name, at)
      }
    }
    return found
  }

  private func isBoundary(_ left: Unicode.Scalar?, _ right: Unicode.Scalar?) -> Bool {
    guard let left, let right, FoldedText.isWordPart(left), FoldedText.isWordPart(right) else {
      return true
    }
    return FoldedText.standsAlone(left) || FoldedText.standsAlone(right)
  }

  /// The names in a text, each as often as it occurs.
  package func find(in text: String) -> [String] {
    guard !isEmpty else { return [] }
    let scalars = FoldedText.scalars(text).folded
    var found: [String] = []
    var at = 0
    while at < scalars.count {
      if let match = match(in: scalars, at: at) {
        found.append(names[match.name])
        at = match.end
      } else {
        at += 1
      }
    }
    return found
  }

  /// The text with each name replaced.
  package func replacing(
    in text: String, with replacement: (_ name: String) -> String
  ) -> String {
    guard !isEmpty else { return text }
    let (composed, folded) = FoldedText.scalars(text)
    var out = String.UnicodeScalarView()
    var at = 0
    var hasChanged = false
    while at < folded.count {
      if let match = match(in: folded, at: at) {
        out.append(contentsOf: replacement(names[match.name]).unicodeScalars)
        at = match.end
        hasChanged = true
      } else {
        out.append(composed[at])
        at += 1
      }
    }
    return hasChanged ? String(out) : text
  }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
