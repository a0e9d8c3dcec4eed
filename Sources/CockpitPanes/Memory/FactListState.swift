import CockpitStores

/// The inputs for drawing the rows of the list of facts.
struct FactListState {
  var query: FactViewQuery
  /// Facts that are selected, by id.
  var selection: Set<Int>
  /// Whether the list has the keys.
  var hasFocus: Bool
  var mask: OwnerMask
}
