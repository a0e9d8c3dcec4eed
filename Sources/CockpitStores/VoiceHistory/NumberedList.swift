/// A list whose elements keep their numbers when the first ones are dropped.
struct NumberedList<Element>: RandomAccessCollection, MutableCollection {
  private var elements: [Element] = []
  private(set) var startIndex = 0

  var endIndex: Int { startIndex + elements.count }

  subscript(number: Int) -> Element {
    _read { yield elements[number - startIndex] }
    _modify { yield &elements[number - startIndex] }
  }

  /// Appends an element and gives its number.
  @discardableResult
  mutating func append(_ element: Element) -> Int {
    elements.append(element)
    return endIndex - 1
  }

  /// Drops the first elements, as long as the condition holds.
  mutating func dropPrefix(while isGone: (Element) -> Bool) {
    let count = elements.prefix(while: isGone).count
    elements.removeFirst(count)
    startIndex += count
  }
}
