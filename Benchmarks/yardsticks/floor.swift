// The memory floor of a Swift program: the same as floor.c, with some strings and a dictionary, so
// that the runtime is in use; with -D FOUNDATION also the parts of it that nearly every program
// uses.
#if FOUNDATION
  import Foundation
#endif

var words: [String: Int] = [:]
for index in 0..<64 { words["word \(index)", default: 0] += index }
let sum = words.values.reduce(0, +)
#if FOUNDATION
  let environment = ProcessInfo.processInfo.environment
  let text = String(format: "%.1f of %d", Date().timeIntervalSince1970, sum)
  let data = Data(text.utf8)
  precondition(!environment.isEmpty || data.isEmpty == text.isEmpty)
#endif
precondition(sum == 2016)
floor_begin()
floor_wait()
