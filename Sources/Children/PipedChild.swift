import CSpawn

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process with a pipe for each of its standard streams. Our ends are non-blocking; the caller closes them.
///
/// The child's ends stay open here as well: a pipe does not hang up then, which Dispatch's sources on Linux do not
/// survive, and a write raises no SIGPIPE. The end of the streams is the end of the child.
package struct PipedChild: Sendable {
  package let child: Child
  /// Its standard input, for writing.
  package let input: Int32
  /// Its standard output, for reading.
  package let output: Int32
  /// Its standard error, for reading.
  package let errors: Int32
  /// The child's end of each of ours.
  package let others: [Int32: Int32]

  package static func start(_ program: Program) throws(ChildFailure) -> PipedChild {
    var open: [Int32] = []
    func pipe() throws(ChildFailure) -> (reader: Int32, writer: Int32) {
      var ends: [Int32] = [-1, -1]
      guard cspawn_pipe(&ends) else { throw ChildFailure(code: errno) }
      open += ends
      return (ends[0], ends[1])
    }
    do throws(ChildFailure) {
      let (input, output, errors) = (try pipe(), try pipe(), try pipe())
      var program = program
      program.input = .descriptor(input.reader)
      program.output = .descriptor(output.writer)
      program.errors = .descriptor(errors.writer)
      let child = try Child.start(program)
      for ours in [input.writer, output.reader, errors.reader] {
        _ = fcntl(ours, F_SETFL, fcntl(ours, F_GETFL) | O_NONBLOCK)
      }
      return PipedChild(
        child: child, input: input.writer, output: output.reader, errors: errors.reader,
        others: [
          input.writer: input.reader, output.reader: output.writer, errors.reader: errors.writer,
        ])
    } catch {
      for end in open { close(end) }
      throw error
    }
  }
}
