extension FactViewQuery {
  /// Why the filter cannot be read, as one sentence, for those who must know before they ask the
  /// backend for anything.
  package var filterProblem: String? {
    do throws(QueryError) {
      _ = try FactFilter.parse(filter)
      return nil
    } catch {
      return error.description
    }
  }
}
