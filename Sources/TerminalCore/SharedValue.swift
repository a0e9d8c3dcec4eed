/// A value on the heap that never changes: it is passed on and compared without copying it, and its type is found
/// by comparing pointers.
package final class SharedValue<Value: Sendable>: Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
