extension String {
  /// Whether two texts are equal scalar by scalar. `==` treats canonically equivalent texts as
  /// equal, such as an `é` of one scalar and one of two; the backend stores them as different, and
  /// a user who changes one into the other means to.
  package func isIdentical(to other: String) -> Bool {
    let (mine, theirs) = (utf8, other.utf8)
    return mine.count == theirs.count && mine.elementsEqual(theirs)
  }
}
