/// Why a stage of the pipeline did not do its work.
package struct VoiceProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence with the next step, without its full stop. It may contain remote text.
  package var description: String

  package init(_ description: String) { self.description = description }
}
