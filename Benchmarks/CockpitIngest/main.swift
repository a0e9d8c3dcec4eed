import CockpitDomain
import Networking
import CockpitStores

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// Ingests a recorded event stream like the cockpit, and exits: the path of an event from the bytes
// of a socket into the stores, without a socket and without a screen.
//
// It is measured from outside as a whole process, beside `jq` and simdjson, so it is a separate
// program that links only what this path needs: no Foundation, no libcurl, no argument parser.

let usage = "usage: cockpit-ingest STREAM [--memory BYTES] [--frames-only] [--marks]\n"

/// Prints the error, and exits.
func refuse(_ words: String) -> Never {
  _ = words.withCString { write(2, $0, strlen($0)) }
  exit(64)
}

var stream: String?
/// Bytes of actions that are kept.
var memory = 64 << 20
/// Only find the events: the cost of framing alone.
var framesOnly = false
/// Print `actions bytes resident` after the first actions and after every 25,000.
var marks = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--frames-only": framesOnly = true
  case "--marks": marks = true
  case "--memory":
    guard let bytes = arguments.popFirst().flatMap({ Int($0) }), bytes > 0 else { refuse(usage) }
    memory = bytes
  default:
    guard stream == nil, !argument.hasPrefix("-") else { refuse(usage) }
    stream = argument
  }
}
guard let stream else { refuse(usage) }
let descriptor = open(stream, O_RDONLY)
guard descriptor >= 0 else { refuse("cockpit-ingest: cannot read \(stream)\n") }
print("rejected=\(Ingest(memory: memory).run(descriptor, framesOnly: framesOnly, marks: marks))")
