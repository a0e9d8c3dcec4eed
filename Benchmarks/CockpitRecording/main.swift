import CockpitDomain
import CockpitHistory
import Foundation

// Records a corpus of JSON lines, or reads what was recorded, and prints figures, one `name=value` a line. It is a program
// of its own, so that no other library is in the figures.
//
//   cockpit-recording write LINES FOLDER --rows N --batch N    N rows at a time, each batch a transaction
//   cockpit-recording days LINES FOLDER --days N           the same rows on N days, as a history to read
//   cockpit-recording forget FOLDER ID                     taking a person out of it
//   cockpit-recording read FOLDER [--word WORD]                opening, seeking, searching

let usage = """
  usage: cockpit-recording write LINES FOLDER [--rows N] [--batch N]
         cockpit-recording days LINES FOLDER [--days N]
         cockpit-recording forget FOLDER ID
         cockpit-recording read FOLDER [--word WORD]

  """

func refuse(_ words: String) -> Never {
  FileHandle.standardError.write(Data(words.utf8))
  exit(64)
}

let arguments = Array(CommandLine.arguments.dropFirst())

func option(_ name: String) -> String? {
  guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
  return arguments[place + 1]
}

switch arguments.first {
case "write" where arguments.count >= 3:
  let run = try RecordingRun(lines: arguments[1], folder: arguments[2])
  try run.write(
    rows: option("--rows").flatMap { Int($0) } ?? .max,
    batch: option("--batch").flatMap { Int($0) } ?? 250)
case "days" where arguments.count >= 3:
  let run = try RecordingRun(lines: arguments[1], folder: arguments[2])
  try run.writeDays(option("--days").flatMap { Int($0) } ?? 30)
case "forget" where arguments.count >= 3:
  let forget = try HistoryForget(arguments[1]) { Int64(Date().timeIntervalSince1970 * 1000) }
  let start = DispatchTime.now().uptimeNanoseconds
  let receipt = try forget.forget(try forget.person(arguments[2]))
  print("seconds=\(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)")
  print("files=\(receipt.files)")
  print("own_rows=\(receipt.tombstones)")
  print("rows=\(receipt.changedRows)")
  print("clean=\(receipt.isClean ? 1 : 0)")
case "read" where arguments.count >= 2:
  try ReadingRun(folder: arguments[1]).run(word: option("--word") ?? "error")
default: refuse(usage)
}
