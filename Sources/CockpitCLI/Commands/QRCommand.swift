import ArgumentParser
import CockpitSession
import OpenClawSource
import TerminalCore

/// `qr`: a text as a QR code. It needs no backend, no configuration and no secret of ours.
struct QRCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "qr", abstract: "Draw a text as a QR code.",
    usage: "clanky-cockpit qr [TEXT|-] [--ascii]",
    discussion: """
      Without TEXT, or with -, the text is the first line of standard input: what stands on a command line, every \
      program of this machine can read. Drawn dark on light whatever the theme is, with a margin of four modules; \
      into a file or a pipe without colours. Exit code 1 when the terminal is too small, with the size that is needed.
      """)

  @Argument(help: ArgumentHelp("The text; - reads it from standard input.", valueName: "TEXT"))
  var text: String?

  @Flag(help: "Without half blocks: two characters for each module.")
  var ascii = false

  func run(in environment: Environment) throws {
    let isTyped = text != nil && text != "-"
    let text = isTyped ? text : environment.readLine()
    guard let text, !text.isEmpty else {
      throw Failure(.usage, "there is no text; give it as TEXT, or on standard input")
    }
    let pairing = Result { () throws(PairingText.Problem) in
      try PairingText.code(text, nowMs: environment.wallMs())
    }
    try QRScreen(environment: environment, isASCII: ascii).show(text)
    switch pairing {
    case .success:
      environment.output.complain(
        "this code lets a device in: whoever takes a picture of it can use it")
      if isTyped {
        environment.output.complain(
          "it is in the history of the shell and was on a command line; 'clanky-cockpit qr -' reads it from standard input"
        )
      }
    case .failure(.setupCode(.expired)):
      environment.output.complain("this setup code has expired; make a new one on the gateway")
    case .failure: break
    }
  }
}
