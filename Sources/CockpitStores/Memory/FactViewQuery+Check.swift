extension FactViewQuery {
  /// Why the filter is invalid, as one sentence; lets callers check it before they send a request.
  package var filterProblem: String? {
    do throws(QueryError) {
      _ = try FactFilter.parse(filter)
      return nil
    } catch {
      return error.description
    }
  }
}
