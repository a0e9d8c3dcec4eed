extension Fact {
  /// Whether it is the owner's alone (contract 6.1).
  package var isOwnerPrivate: Bool { scope == .owner || subject == FactSubject.owner.rawValue }
}
