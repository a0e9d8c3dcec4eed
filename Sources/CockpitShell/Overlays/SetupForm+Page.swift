import CockpitPanes
import TerminalUI
import TerminalCore

/// Layout of the form: fields first, then messages, buttons always visible; help text is dropped
/// first.
extension SetupForm {
  private static let widest = 78
  private static let label = 11

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = min(Self.widest, body.width)
    let inner = max(1, width - 4)
    let said = saidLines(inner)
    let fields = fields
    let most = max(0, body.height - 2)
    let needed = fields.count + 1
    let help = fields.map { helpLines($0, facts, max(1, inner - Self.label)) }
    let helpCount = help.reduce(0) { $0 + $1.count }
    let found = discoveryLines(
      inner, height: max(0, most - needed - min(said.count, 3) - 1))
    let foundHeight = found.isEmpty ? 0 : found.count + 1
    let spare = most - needed - foundHeight
    // Help is worth its place only while everything that was said has one, too.
    let isHelpful = helpCount + min(said.count, 3) + 2 <= spare
    let saidCount = min(said.count, max(0, spare - (isHelpful ? helpCount + 2 : 0)))
    let rows = needed + foundHeight + saidCount + (isHelpful ? helpCount + 2 : 0)
    let height = min(body.height, rows + 2)
    let area = Rect(
      x: body.x + (body.width - width) / 2, y: body.y + (body.height - height) / 2, width: width,
      height: height)
    frame.canvas.clear(area)
    frame.canvas.panel(title, in: area, isFocused: true) { _ in }
    let page = Rect(x: area.x + 2, y: area.y + 1, width: inner, height: max(0, height - 2))
    var y = page.y
    for (index, field) in fields.enumerated() {
      draw(field, y: y, in: page, into: &frame)
      y += 1
      guard isHelpful else { continue }
      for line in help[index] {
        frame.canvas.write(line, x: page.x + Self.label, y: y, role: .muted)
        y += 1
      }
    }
    if isHelpful { y += 1 }
    for line in said.prefix(saidCount) {
      frame.canvas.write(line.text, x: page.x, y: y, role: line.role)
      y += 1
    }
    if !found.isEmpty, saidCount > 0 || !isHelpful { y += 1 }
    for line in found {
      let hasFocus = line.bot.map { focus == .bot($0) && work == .nothing } ?? false
      frame.canvas.write(
        line.text, x: page.x, y: y, role: hasFocus ? .focus : line.role,
        attributes: hasFocus ? [.reverse] : [])
      if let bot = line.bot {
        frame.mark(
          Rect(x: page.x, y: y, width: page.width, height: 1), .overlay(Self.firstBot + bot))
        if hasFocus { frame.canvas.placeCursor(x: page.x, y: y) }
      }
      y += 1
    }
    drawButtons(y: page.y + page.height - 1, in: page, into: &frame)
  }

  private func saidLines(_ width: Int) -> [(text: PlainText, role: Role)] {
    message.text.wrapped(to: width).filter { !$0.isEmpty }.map { ($0, message.role) }
      + advice.wrapped(to: width).filter { !$0.isEmpty }.map { ($0, .text) }
  }

  @MainActor private func helpLines(_ field: Field, _ facts: ViewContext, _ width: Int)
    -> [PlainText]
  {
    let text: PlainText =
      switch field {
      case .url: "where the bot's dashboard answers; a tunnel begins with https://"
      case .token:
        "DASHBOARD_TOKEN of the bot; empty when it has none. Saved in: "
          + PlainText(facts.setup.tokenStore ?? "nowhere, there is no home folder", limit: 120)
      case .plain: "whoever listens on the way can read the token; Space switches"
      case .profile: "a name of your choice; empty while there is only one bot"
      }
    return text.wrapped(to: width)
  }

  private func draw(_ field: Field, y: Int, in page: Rect, into frame: inout Frame) {
    let hasFocus = focus == .field(field) && work == .nothing
    let name: PlainText =
      switch field {
      case .url: "ADDRESS"
      case .token: "TOKEN"
      case .plain: "PLAIN HTTP"
      case .profile: "PROFILE"
      }
    frame.canvas.write(
      name, x: page.x, y: y, role: hasFocus ? .focus : .muted, attributes: hasFocus ? .bold : [])
    let place = Rect(
      x: page.x + Self.label, y: y, width: max(1, page.width - Self.label), height: 1)
    frame.canvas.inside(place) { canvas in
      switch field {
      case .url: url.render(into: &canvas, placeholder: "http://…", isFocused: hasFocus)
      case .token:
        token.masked.render(into: &canvas, placeholder: "(no token)", isFocused: hasFocus)
      case .profile: profile.render(into: &canvas, placeholder: "(no name)", isFocused: hasFocus)
      case .plain:
        canvas.write(
          allowsPlainHTTP ? "yes" : "no", role: .input, attributes: hasFocus ? .reverse : [])
        if hasFocus { canvas.placeCursor() }
      }
    }
    frame.mark(Rect(x: page.x, y: y, width: page.width, height: 1), .overlay(field.rawValue))
  }

  private func drawButtons(y: Int, in page: Rect, into frame: inout Frame) {
    var x = page.x
    for button in Button.allCases {
      let text: PlainText =
        switch button {
        case .test: "[TEST]"
        case .save: "[SAVE AND CONNECT]"
        case .cancel: "[CANCEL]"
        case .search: "[FIND BOTS]"
        }
      guard x + text.columns <= page.x + page.width else { return }
      let hasFocus = focus == .button(button) && work == .nothing
      let role: Role = hasFocus ? .focus : work == .nothing ? .text : .muted
      frame.canvas.write(
        text, x: x, y: y, role: role, attributes: hasFocus ? [.reverse, .bold] : [])
      if hasFocus { frame.canvas.placeCursor(x: x, y: y) }
      frame.mark(
        Rect(x: x, y: y, width: text.columns, height: 1),
        .overlay(Field.allCases.count + button.rawValue))
      x += text.columns + 1
    }
  }
}
