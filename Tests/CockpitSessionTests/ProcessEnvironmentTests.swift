import Foundation
import Testing

@testable import CockpitSession

@Suite struct ProcessEnvironmentTests {
  @Test("the environment is what Foundation says it is")
  func same() {
    #expect(ProcessEnvironment.current == ProcessInfo.processInfo.environment)
    #expect(ProcessEnvironment.current["PATH"]?.isEmpty == false)
  }
}
