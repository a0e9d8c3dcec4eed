import Foundation

/// A program that puts text on the clipboard of the desktop it runs on.
package enum ClipboardTool: String, CaseIterable {
  case wlCopy = "wl-copy"
  case xclip, xsel, pbcopy

  package var arguments: [String] {
    switch self {
    case .xclip: ["-selection", "clipboard", "-in"]
    case .xsel: ["--clipboard", "--input"]
    case .wlCopy, .pbcopy: []
    }
  }

  /// The variable that names its display; a tool without a display cannot work.
  package var display: String? {
    switch self {
    case .wlCopy: "WAYLAND_DISPLAY"
    case .xclip, .xsel: "DISPLAY"
    case .pbcopy: nil
    }
  }
}

/// A route to the clipboard.
package enum ClipboardRoute: Equatable {
  /// OSC 52: the terminal puts it on the clipboard of the machine that it runs on.
  case terminal
  /// A program at this path.
  case tool(ClipboardTool, path: String)

  /// Over SSH the clipboard is on the other side: only the terminal reaches it, even where a
  /// display is forwarded. Here a tool says whether it worked, which OSC 52 never does.
  package init(environment: [String: String], isProgram: (String) -> Bool) {
    func has(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    self = .terminal
    guard !has("SSH_TTY"), !has("SSH_CONNECTION") else { return }
    let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    for tool in ClipboardTool.allCases where tool.display.map(has) ?? true {
      for folder in folders {
        let path = "\(folder)/\(tool.rawValue)"
        guard isProgram(path) else { continue }
        self = .tool(tool, path: path)
        return
      }
    }
  }
}
