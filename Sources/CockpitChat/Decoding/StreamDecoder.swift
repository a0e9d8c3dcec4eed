internal import LenientJSON
internal import Networking

/// Which interface of a server is spoken over HTTP.
package enum ChatInterface: String, Hashable, Sendable, CaseIterable {
  /// `/v1/chat/completions`
  case chat
  /// `/v1/responses`
  case responses

  package var other: ChatInterface { self == .chat ? .responses : .chat }
}

/// Decodes the SSE bytes of an answer into `ChatEvent`s, in any chunking. Emits exactly one `ended`, as the last event.
package struct StreamDecoder: Sendable {
  /// The largest event that is read, bytes.
  private static let eventLimit = 4 << 20

  private var parser = SSEParser(eventLimit: Self.eventLimit)
  private var reader: any EventReader

  /// - Parameter isGateway: whether an OpenClaw gateway answers: the id of its answer is that of the run.
  package init(_ interface: ChatInterface, isGateway: Bool) {
    reader =
      switch interface {
      case .chat: CompletionReader(isGateway: isGateway)
      case .responses: ResponseReader(isGateway: isGateway)
      }
  }

  package var isOver: Bool { reader.answer.isOver }

  /// The next bytes of a body of type `text/event-stream`.
  package mutating func feed(_ bytes: UnsafeRawBufferPointer) -> [ChatEvent] {
    var payloads: [EventPayload] = []
    parser.feed(bytes) { _ in
      payloads.append(.lost)
    } _: { event in
      payloads.append(EventPayload(event.data))
    }
    for payload in payloads where !reader.answer.isOver {
      switch payload {
      case .json(let value): reader.take(value)
      case .done: reader.finish(nil)
      // One bad event costs itself; the text of the end tells what it said.
      case .lost: break
      }
    }
    return reader.answer.told()
  }

  /// The stream has ended.
  ///
  /// - Parameter failure: why it ended early; nil after an orderly end.
  package mutating func finish(_ failure: ChatFailure? = nil) -> [ChatEvent] {
    if !reader.answer.isOver { reader.finish(failure ?? reader.answer.unfinished) }
    return reader.answer.told()
  }

  /// The answer was cancelled here.
  package mutating func abort() -> [ChatEvent] {
    reader.answer.end(.aborted)
    return reader.answer.told()
  }

  /// A whole body of type `application/json`: the answer of a server that does not stream.
  package mutating func whole(_ body: [UInt8]) -> [ChatEvent] {
    if !reader.answer.isOver {
      do throws(JSONError) {
        reader.takeWhole(try JSONValue.parse(body))
      } catch {
        reader.answer.fail(
          .request, "The server's answer could not be read; check the url of the profile.")
      }
    }
    return reader.answer.told()
  }
}

/// The data of one event.
private enum EventPayload {
  case json(JSONValue)
  /// `[DONE]`
  case done
  case lost

  init(_ data: UnsafeRawBufferPointer) {
    if data.elementsEqual("[DONE]".utf8) {
      self = .done
    } else {
      do throws(JSONError) {
        self = .json(try JSONValue.parse(data))
      } catch {
        self = .lost
      }
    }
  }
}

/// What the two interfaces have in common: events in, an answer out.
protocol EventReader: Sendable {
  var answer: AnswerState { get set }
  mutating func take(_ event: JSONValue)
  mutating func takeWhole(_ body: JSONValue)
  /// `[DONE]`, or the end of the stream. The reader ends the answer.
  mutating func finish(_ failure: ChatFailure?)
}
