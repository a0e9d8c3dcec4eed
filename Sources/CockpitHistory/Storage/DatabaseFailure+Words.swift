extension DatabaseFailure {
  /// A sentence for the user.
  func words(_ path: String) -> String {
    if isFull { return "the disk is full: '\(path)' cannot be written" }
    if isBusy { return "'\(path)' is in use by another program" }
    if isDamage { return "'\(path)' is damaged" }
    return "'\(path)': \(message)"
  }
}
