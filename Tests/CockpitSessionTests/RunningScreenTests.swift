import TerminalCore
import Testing

@testable import CockpitSession

@Suite struct RunningScreenTests {
  @Test("what a cockpit says of its screen is what its verb hears")
  func roundTrip() {
    for isDark in [nil, true, false] {
      let screen = RunningScreen(
        size: Size(width: 120, height: 40), depth: .direct, isDark: isDark,
        hasSynchronizedOutput: isDark == true, glyphs: .safe, hasNoColorWish: isDark == false)
      #expect(RunningScreen(environment: [RunningScreen.variable: screen.text]) == screen)
    }
    #expect(RunningScreen(environment: [RunningScreen.variable: "linear"]) == .linear)
    for text in ["", "columns=1", "columns=x rows=1 depth=0 glyphs=safe", "==="] {
      #expect(RunningScreen(environment: [RunningScreen.variable: text]) == nil)
    }
  }
}
