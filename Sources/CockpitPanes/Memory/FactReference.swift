/// Identifies a fact to open in MEMORY.
package struct FactReference: Hashable, Sendable {
  /// The backend's id; nil if the fact came without one.
  package var id: Int?
  package var subject: String?
  package var fact: String

  package init(id: Int?, subject: String?, fact: String) {
    self.id = id
    self.subject = subject
    self.fact = fact
  }
}
