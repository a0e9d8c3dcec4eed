package import ClankyWire

/// The other version of a fact that somebody has seen beside theirs and decided to replace.
package struct FactOverwrite: Hashable, Sendable {
  package var theirs: Fact

  package init(theirs: Fact) { self.theirs = theirs }
}
