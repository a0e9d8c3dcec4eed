import CockpitDomain
import CockpitHistory
import Foundation

/// Records rows as a source would deliver them.
struct RecordingRun {
  let lines: String
  let folder: String
  private let rows: [[UInt8]]

  init(lines: String, folder: String) throws {
    self.lines = lines
    self.folder = folder
    rows = try Data(contentsOf: URL(fileURLWithPath: lines)).split(separator: 0x0A).map(Array.init)
  }

  func write(rows limit: Int, batch: Int) throws {
    let rows = rows.prefix(limit)
    // The recorder waits until a batch is complete. Without that a busy machine divides it, and each part of it
    // writes its pages again.
    let windowMs = batch > 1 ? 25 : 0
    let recorder = HistoryRecorder(
      folder: folder,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, bufferBytes: 64 << 20, windowMs: windowMs, syncMs: nil,
        what: "benchmark", version: "0", bot: "benchmark")
    ) { Int64(Date().timeIntervalSince1970 * 1000) }
    while recorder.state.activity == .starting { usleep(1000) }
    let before = Figures.now()
    var given = 0
    var rawBytes = 0
    for start in stride(from: 0, to: rows.count, by: batch) {
      let receivedMs = Int64(Date().timeIntervalSince1970 * 1000)
      for row in rows[start..<min(rows.count, start + batch)] {
        row.withUnsafeBytes {
          recorder.row(number: given, receivedMs: receivedMs, channels: .activity, json: $0)
        }
        given += 1
        rawBytes += row.count
      }
      // Each batch is a transaction of its own.
      while recorder.state.rows < given { usleep(50) }
    }
    let after = Figures.now()
    let peak = Figures.residentPeak()
    recorder.stop(waiting: 60)
    try finish()
    let disk = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".db") }
      .reduce(0) { sum, name in
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
        return sum + (attributes[.size] as? Int ?? 0)
      }
    // The main thread waits; all that it does is what it gives.
    print("rows=\(given)")
    print("raw_bytes=\(rawBytes)")
    print("cpu_us_per_row=\(Double(after.recorderNs - before.recorderNs) / 1000 / Double(given))")
    print("written_per_raw=\(Double(after.written - before.written) / Double(rawBytes))")
    print("disk_per_raw=\(Double(disk) / Double(rawBytes))")
    print("disk_bytes=\(disk)")
    print("peak_bytes=\(peak)")
  }
}

extension RecordingRun {
  /// Records the rows once for each day, with the date of that day.
  func writeDays(_ count: Int) throws {
    let key = Array("\"createdAt\":\"".utf8)
    let places = rows.map { row in
      Data(row).range(of: Data(key)).map { $0.upperBound..<$0.upperBound + 10 }
    }
    for day in 0..<count {
      let nowMs = 1_600_000_000_000 + Int64(day) * 86_400_000
      let date = Date(timeIntervalSince1970: Double(nowMs) / 1000).formatted(.iso8601).prefix(10)
      let recorder = HistoryRecorder(
        folder: folder,
        RecorderSettings(
          keepMs: nil, maxBytes: nil, bufferBytes: 64 << 20, windowMs: 0, syncMs: nil,
          what: "benchmark", version: "0", bot: "benchmark")
      ) { nowMs }
      for (index, row) in rows.enumerated() {
        var row = row
        if let place = places[index], place.upperBound <= row.count {
          row.replaceSubrange(place, with: date.utf8)
        }
        row.withUnsafeBytes {
          recorder.row(number: index, receivedMs: nowMs, channels: .activity, json: $0)
        }
        if index % 2000 == 1999 { while recorder.state.rows <= index - 2000 { usleep(200) } }
      }
      guard recorder.stop(waiting: 600) else { throw CocoaError(.fileWriteUnknown) }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let bytes = try names.filter { $0.hasSuffix(".db") }.reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      return sum + (attributes[.size] as? Int ?? 0)
    }
    print("rows=\(rows.count * count)")
    print("raw_bytes=\(rows.reduce(0) { $0 + $1.count } * count)")
    print("disk_bytes=\(bytes)")
  }

  /// Finishes the files, as the end of the day does: a recorder of the next day does it when it begins.
  private func finish() throws {
    let tomorrow = Int64(Date().timeIntervalSince1970 * 1000) + 86_400_000
    let recorder = HistoryRecorder(
      folder: folder,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, syncMs: nil, what: "benchmark", version: "0", bot: "benchmark")
    ) { tomorrow }
    recorder.stop(waiting: 60)
    // Its own file is empty.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".db") && $0.hasPrefix("2")
    }
    if let last = names.max(), names.count > 1 {
      for suffix in ["", "-wal", "-shm"] { unlink(folder + "/" + last + suffix) }
    }
  }
}

/// What this process has used so far.
struct Figures {
  /// CPU of all threads but the main one, in nanoseconds.
  var recorderNs = 0
  /// Bytes given to the disk.
  var written = 0

  static func now() -> Figures {
    var figures = Figures()
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    for thread in threads where thread != "\(getpid())" {
      let fields = text("/proc/self/task/\(thread)/schedstat").split(separator: " ")
      figures.recorderNs += fields.first.flatMap { Int($0) } ?? 0
    }
    for line in text("/proc/self/io").split(separator: "\n") where line.hasPrefix("wchar: ") {
      figures.written = Int(line.dropFirst(7)) ?? 0
    }
    return figures
  }

  /// The largest resident size so far.
  static func residentPeak() -> Int {
    for line in text("/proc/self/status").split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
    }
    return 0
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
