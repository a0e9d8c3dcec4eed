import CockpitPanes

/// The verbs of the program as a running cockpit needs them.
package struct ProgramVerbs: Sendable {
  /// The available verbs; the first call takes longer than a frame.
  package let table: @Sendable () -> VerbTable
  /// Runs the line that the environment has as its arguments, and gives its exit code. It keeps the main
  /// actor no longer than a frame, and ends soon after its task was cancelled.
  package let run: @MainActor @Sendable (Environment) async -> Int32

  package init(
    table: @escaping @Sendable () -> VerbTable,
    run: @escaping @MainActor @Sendable (Environment) async -> Int32
  ) {
    self.table = table
    self.run = run
  }
}
