package import CockpitFiles
import Foundation

/// What the files of the cockpit are put through, in the folder of a test.
package enum DiskOperation: String, CaseIterable, Sendable {
  case replace, append, rotate, setAside, remove

  /// The bytes of a draft: long enough that half of them is not the other half.
  package static func draft(_ word: String) -> [UInt8] {
    Array(String(repeating: "\(word) ", count: 2000).utf8)
  }

  package static func line(_ word: String) -> [UInt8] {
    Array(#"{"word":"\#(word)","more":"\#(String(repeating: "more ", count: 120))"}"#.utf8)
  }

  /// Bytes after which the journal of `rotate` is full: after one line.
  package static let smallLimit = 1000

  package func run(in state: String, disk: any Disk) throws(FileError) {
    let shelf = DraftStore(state: state, disk: disk)
    switch self {
    case .replace: try shelf.save(Self.draft("new"), name: "draft")
    case .setAside: try shelf.setAside("draft")
    case .remove: try shelf.remove("draft")
    case .append: try JournalFile(folder: state, disk: disk).append(Self.line("new"))
    case .rotate:
      try JournalFile(folder: state, limit: Self.smallLimit, disk: disk).append(Self.line("new"))
    }
  }
}

/// `disk-probe STATE OPERATION CALL before|halfway|after` dies at a call;
/// `disk-probe STATE lines NAME COUNT LIMIT` appends lines.
@main
struct ProbeMain {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == (arguments.dropFirst(2).first == "lines" ? 6 : 5) else { exit(64) }
    let state = arguments[1]
    if arguments[2] == "lines", let count = Int(arguments[4]), let limit = Int(arguments[5]) {
      let journal = JournalFile(folder: state, limit: limit)
      for number in 0..<count {
        try journal.append(DiskOperation.line("\(arguments[3])-\(number)"))
      }
      return
    }
    let events: [String: ScriptedDisk.Event] = [
      "before": .deathBefore, "halfway": .deathHalfway, "after": .deathAfter,
    ]
    guard let operation = DiskOperation(rawValue: arguments[2]), let index = Int(arguments[3]),
      let event = events[arguments[4]]
    else { exit(64) }
    try operation.run(in: state, disk: ScriptedDisk(at: index, event))
  }
}
