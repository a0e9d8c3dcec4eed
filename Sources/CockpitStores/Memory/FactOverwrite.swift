package import ClankyWire

/// The conflicting version of a fact that the user has seen and decided to replace.
package struct FactOverwrite: Hashable, Sendable {
  package var theirs: Fact

  package init(theirs: Fact) { self.theirs = theirs }
}
