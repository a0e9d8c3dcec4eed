/// One dispatched event. Not copyable, because `data` is borrowed and valid during the call only.
package struct SSEEvent: ~Copyable {
  /// The `event` field, `"message"` when there was none.
  package let name: String
  /// The `data` lines joined by LF, exactly as sent: not necessarily valid UTF-8.
  package let data: UnsafeRawBufferPointer
  /// The last event id of the stream at this event.
  package let lastEventID: String

  package init(name: String, data: UnsafeRawBufferPointer, lastEventID: String) {
    self.name = name
    self.data = data
    self.lastEventID = lastEventID
  }
}
