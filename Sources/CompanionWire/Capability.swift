/// Something of this machine that an agent asks to use, by its dotted name such as `camera.front.once`.
package struct Capability: Hashable, Sendable, CustomStringConvertible {
  package enum Family: String, Hashable, Sendable, CaseIterable {
    case camera, microphone, location, notify, canvas, screen, ble
  }

  /// As sent: remote text.
  package var name: String
  /// nil for a family that this program does not know: such a request can only be denied.
  package var family: Family?

  package init(_ name: String) {
    self.name = name
    family = Family(rawValue: String(name.prefix { $0 != "." }))
  }

  package var description: String { name }
}
