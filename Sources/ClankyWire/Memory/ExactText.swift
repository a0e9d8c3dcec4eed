extension String {
  /// Whether two texts are the same to the last scalar. `==` takes texts for equal that Unicode calls
  /// equivalent, such as an `é` that is one scalar and one that is two; the backend stores them apart, and
  /// somebody who changes one into the other means to.
  package func isSame(as other: String) -> Bool {
    let (mine, theirs) = (utf8, other.utf8)
    return mine.count == theirs.count && mine.elementsEqual(theirs)
  }
}
