// For tests. `history-probe FOLDER WINDOW-MS` records 1,000 rows a second until it is killed, and prints the number and
// the time of each. `history-probe forget FOLDER ID STEP` forgets a person and kills itself at a step of the work.
import CockpitDomain
import CockpitHistory
import Foundation
import Synchronization

let arguments = CommandLine.arguments

@Sendable func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

if arguments.count == 5, arguments[1] == "forget", let stop = Int(arguments[4]) {
  var forget = try HistoryForget(arguments[2]) { now() }
  let steps = Atomic<Int>(0)
  forget.reached = { _ in
    if steps.wrappingAdd(1, ordering: .relaxed).oldValue == stop { kill(getpid(), SIGKILL) }
  }
  _ = try forget.forget(try forget.person(arguments[3]))
  exit(0)
}
guard arguments.count == 3, let window = Int(arguments[2]) else { exit(2) }

let recorder = HistoryRecorder(
  folder: arguments[1],
  RecorderSettings(
    keepMs: nil, maxBytes: nil, windowMs: window, syncMs: nil, what: "probe", version: "0",
    bot: "probe")
) { now() }

let format = ISO8601DateFormatter()
format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
var number = 0
while true {
  let time = format.string(from: Date())
  for _ in 0..<10 {
    let filling = String(repeating: "what a prompt has \(number % 7) ", count: 60)
    let json = """
      {"kind":"llm_call","content":"row\(number)","createdAt":"\(time)","metadata":{"p":"\(filling)"}}
      """
    Array(json.utf8).withUnsafeBytes {
      recorder.row(number: number, receivedMs: now(), channels: .activity, json: $0)
    }
    let line = Array("\(number) \(now())\n".utf8)
    _ = write(1, line, line.count)
    number += 1
  }
  usleep(10_000)
}
