import ClankySource
import CockpitSession
import CockpitText
import CurlTransport
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

extension TailSink {
  func payload(_ name: DocumentName, _ event: String, _ json: UnsafeRawBufferPointer) {
    guard format == .json else { return }
    guard JSONText.value(in: json) != nil else {
      reject(stream.name, event, "The payload is no JSON.")
      return
    }
    var line = JSONObjectWriter()
    line.string("type", name.rawValue)
    line.raw("payload", json)
    write(line)
  }

  func writeRaw(_ event: String, _ data: UnsafeRawBufferPointer, _ lastEventID: String) {
    // Every quote of the payload is escaped: a third more is enough for nearly all.
    var line = JSONObjectWriter(capacity: data.count * 4 / 3 + 128)
    line.string("type", "sse")
    line.string("event", event.keepingReservedCharacters)
    line.text("data", utf8: data)
    line.string("lastEventId", lastEventID.keepingReservedCharacters)
    write(line)
  }

  func streamEnded(_ stream: SourceChannel, lastEventID: String, retryMs: Int?) {
    hasAnswered = true
    store.endConnection(stream == .activity ? .activity : .voice)
    guard format == .raw else { return }
    var line = JSONObjectWriter()
    line.string("type", "end")
    line.string("lastEventId", lastEventID.keepingReservedCharacters)
    line.int("retry", retryMs)
    write(line)
  }

  func say(_ gap: IDGap) {
    switch format {
    case .json:
      var line = JSONObjectWriter()
      line.string("type", "gap")
      line.int("from", gap.from)
      line.int("to", gap.to)
      write(line)
    case .plain:
      let why =
        gap.isAnswered
        ? gap.isOutOfReach
          ? "and cannot be had: more than 1,000 of this kind" : "and cannot be fetched"
        : "and could not be fetched yet"
      let rows = gap.from == gap.to ? "row \(gap.from) is" : "rows \(gap.from) to \(gap.to) are"
      output.complain("\(rows) missing \(why)")
    case .raw: break
    }
  }

  func logReplaced() {
    store.applyReset()
    horizon.forget()
    switch format {
    case .json:
      var line = JSONObjectWriter()
      line.string("type", "reset")
      write(line)
    case .plain: output.complain("the backend's log was replaced: ids start anew")
    case .raw: break
    }
  }

  func reject(_ stream: SourceChannel, _ name: String, _ reason: String) {
    switch format {
    case .json:
      var line = JSONObjectWriter()
      line.string("type", "error")
      line.string("event", name)
      line.string("reason", reason)
      write(line)
    case .plain, .raw: output.complain("an event was left out (\(name)): \(reason)")
    }
  }

  func say(_ status: SourceStatus) {
    var line = JSONObjectWriter()
    line.string("type", "status")
    line.string("state", status.overall.rawValue)
    line.string("detail", status.detail)
    write(line)
  }

  func write(_ line: consuming JSONObjectWriter) {
    let bytes = line.finish()
    if isHolding { heldLines.append(bytes) } else { output.line(bytes) }
  }
}
