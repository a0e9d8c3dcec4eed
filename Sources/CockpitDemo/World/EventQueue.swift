/// Things that will happen to `Target`, ordered by time and then by the order in which they were planned.
struct EventQueue<Target> {
  struct Entry {
    var due: Int64
    var sequence: Int
    var run: (Target) -> Void

    func precedes(_ other: Entry) -> Bool {
      (due, sequence) < (other.due, other.sequence)
    }
  }

  private var heap: [Entry] = []
  private var sequence = 0

  var nextDue: Int64? { heap.first?.due }

  mutating func add(at due: Int64, _ run: @escaping (Target) -> Void) {
    sequence += 1
    heap.append(Entry(due: due, sequence: sequence, run: run))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the first entry if it is due at `now`.
  mutating func pop(dueBy now: Int64) -> Entry? {
    guard let first = heap.first, first.due <= now else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      var parent = 0
      while true {
        var least = parent
        for child in [2 * parent + 1, 2 * parent + 2]
        where child < heap.count && heap[child].precedes(heap[least]) {
          least = child
        }
        if least == parent { break }
        heap.swapAt(parent, least)
        parent = least
      }
    }
    return first
  }

  /// Postpones everything, after the machine slept or stalled.
  mutating func shift(by ms: Int64) {
    for index in heap.indices { heap[index].due += ms }
  }
}
