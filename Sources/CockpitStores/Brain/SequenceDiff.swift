/// The shortest edit script between two sequences of small numbers (Myers, "An O(ND) Difference
/// Algorithm and Its Variations", 1986), bounded: untrusted text must not make it quadratic.
enum SequenceDiff {
  /// A run of elements with one fate, in order.
  enum Run: Equatable {
    case same(old: Range<Int>, new: Range<Int>)
    case removed(Range<Int>)
    case added(Range<Int>)
  }

  /// The runs that turn `old` into `new`; nil if more than `maxEdits` elements differ.
  static func runs(_ old: [Int], _ new: [Int], maxEdits: Int) -> [Run]? {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    guard
      let middle = matches(
        Array(old[start..<oldEnd]), Array(new[start..<newEnd]), maxEdits: maxEdits)
    else { return nil }
    var runs: [Run] = []
    var (x, y) = (0, 0)
    func emit(to matchX: Int, _ matchY: Int) {
      if x < matchX { runs.append(.removed(x..<matchX)) }
      if y < matchY { runs.append(.added(y..<matchY)) }
    }
    func same(_ length: Int, at matchX: Int, _ matchY: Int) {
      guard length > 0 else { return }
      emit(to: matchX, matchY)
      runs.append(.same(old: matchX..<matchX + length, new: matchY..<matchY + length))
      (x, y) = (matchX + length, matchY + length)
    }
    same(start, at: 0, 0)
    for match in middle { same(match.length, at: start + match.old, start + match.new) }
    same(old.count - oldEnd, at: oldEnd, newEnd)
    emit(to: old.count, new.count)
    return runs
  }

  private typealias Match = (old: Int, new: Int, length: Int)

  /// The common subsequence, in order; nil if it needs more edits than allowed.
  private static func matches(_ old: [Int], _ new: [Int], maxEdits: Int) -> [Match]? {
    let (n, m) = (old.count, new.count)
    guard n > 0, m > 0 else { return [] }
    let most = min(n + m, maxEdits)
    // The furthest x on each diagonal -d...d, kept for every d to walk back.
    var trace: [[Int]] = []
    for d in 0...most {
      var row = [Int](repeating: 0, count: 2 * d + 1)
      for k in stride(from: -d, through: d, by: 2) {
        var x: Int
        if d == 0 {
          x = 0
        } else {
          let before = trace[d - 1]
          func at(_ diagonal: Int) -> Int? {
            let index = diagonal + d - 1
            return before.indices.contains(index) ? before[index] : nil
          }
          let down = k == d ? nil : at(k + 1)
          let right = k == -d ? nil : at(k - 1)
          if let down, right.map({ $0 < down }) ?? true { x = down } else { x = (right ?? 0) + 1 }
        }
        var y = x - k
        while x < n, y < m, x >= 0, y >= 0, old[x] == new[y] {
          x += 1
          y += 1
        }
        row[k + d] = x
        if x >= n, y >= m {
          trace.append(row)
          return walkBack(trace, n, m)
        }
      }
      trace.append(row)
    }
    return nil
  }

  private static func walkBack(_ trace: [[Int]], _ n: Int, _ m: Int) -> [Match] {
    var found: [Match] = []
    var (x, y) = (n, m)
    for d in stride(from: trace.count - 1, through: 0, by: -1) {
      let k = x - y
      var (fromX, fromY) = (0, 0)
      if d > 0 {
        let before = trace[d - 1]
        func at(_ diagonal: Int) -> Int? {
          let index = diagonal + d - 1
          return before.indices.contains(index) ? before[index] : nil
        }
        let down = k == d ? nil : at(k + 1)
        let right = k == -d ? nil : at(k - 1)
        if let down, right.map({ $0 < down }) ?? true {
          (fromX, fromY) = (down, down - (k + 1))
          let length = x - fromX
          if length > 0 { found.append((fromX, fromY + 1, length)) }
        } else {
          fromX = right ?? 0
          fromY = fromX - (k - 1)
          let length = x - (fromX + 1)
          if length > 0 { found.append((fromX + 1, fromY, length)) }
        }
        (x, y) = (fromX, fromY)
      } else if x > 0 {
        found.append((0, 0, x))
      }
    }
    return found.reversed()
  }
}
