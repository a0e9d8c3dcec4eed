extension OperationsStore {
  /// Whether something is on its way.
  package var isFetching: Bool {
    guilds.isLoading || browserSessions.isLoading || accounts.isLoading || settings.isLoading
      || channels.values.contains(where: \.isLoading)
      || automations.values.contains(where: \.isLoading)
      || runs.values.contains(where: \.isLoading)
  }
}
