import CockpitFiles
import CockpitSession
import CockpitStores
import Testing

@testable import CockpitApp

@Suite struct ClipboardRouteTests {
  private func route(_ environment: [String: String], _ programs: Set<String>) -> ClipboardRoute {
    ClipboardRoute(environment: environment) { programs.contains($0) }
  }

  @Test("over SSH the terminal, here a tool that has a display, else the terminal")
  func order() {
    let all: Set = ["/usr/bin/wl-copy", "/usr/bin/xclip", "/opt/bin/xsel", "/usr/bin/xsel"]
    let path = ["PATH": "relative:/opt/bin:/usr/bin"]
    #expect(route(path, all) == .terminal)
    let x = path.merging(["DISPLAY": ":0"]) { $1 }
    #expect(route(x, all) == .tool(.xclip, path: "/usr/bin/xclip"))
    #expect(
      route(x, all.subtracting(["/usr/bin/xclip"])) == .tool(.xsel, path: "/opt/bin/xsel"))
    let both = x.merging(["WAYLAND_DISPLAY": "wayland-0"]) { $1 }
    #expect(route(both, all) == .tool(.wlCopy, path: "/usr/bin/wl-copy"))
    for name in ["SSH_TTY", "SSH_CONNECTION"] {
      #expect(route(both.merging([name: "x"]) { $1 }, all) == .terminal)
      #expect(route(both.merging([name: ""]) { $1 }, all) != .terminal)
    }
    #expect(route(both, []) == .terminal)
    #expect(route(["DISPLAY": ":0"], all) == .terminal)
  }
}

@Suite struct FramePacingTests {
  @Test("frames for streams are fewer when nobody looks, under a flood, and on a slow line")
  func intervals() {
    var pacing = FramePacing(mode: .auto)
    #expect(pacing.streamInterval == .milliseconds(100) && pacing.redrawsFreshRows)
    pacing.isFlood = true
    #expect(pacing.streamInterval == .milliseconds(250))
    pacing.isFocused = false
    #expect(pacing.streamInterval == .milliseconds(500))
    pacing.isFocused = true
    for second in 1...3 { pacing.stalled(ms: 300, nowNs: UInt64(second) * 1_000_000_000) }
    #expect(pacing.isLow && pacing.streamInterval == .milliseconds(500))
    #expect(!pacing.redrawsFreshRows)
    pacing.mode = .off
    #expect(!pacing.isLow && pacing.streamInterval == .milliseconds(250))
    pacing.mode = .on
    #expect(pacing.isLow && pacing.streamInterval == .seconds(1))
  }
}

@Suite struct AlertSettingsTests {
  @Test("the configuration's words become rules")
  func rules() {
    #expect(AlertRules(Configuration.Alerts()).isSilent)
    var alerts = Configuration.Alerts()
    alerts.notify = "error"
    alerts.every = 5
    alerts.classes = ["automation": ["bell", "flash"]]
    let rules = AlertRules(alerts)
    #expect(rules.channels(for: .error) == [.notify])
    #expect(rules.channels(for: .automation) == [.bell, .flash])
    #expect(rules.channels(for: .voiceStart).isEmpty && rules.everyMs == 5000)
  }
}
