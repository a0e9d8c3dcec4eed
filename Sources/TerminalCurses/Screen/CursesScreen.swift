import CNcurses
import Foundation
import TerminalCore

/// Turns canvases into the bytes that change the screen, through ncurses.
///
/// ncurses keeps its state in globals, so all of it stays on the main actor. It writes into a
/// scratch file in memory and never to the terminal itself: writing to a terminal may block, and
/// a frame that is complete before the first byte goes out can be sent in one piece.
@MainActor
package final class CursesScreen {
  private var scratch: ScratchFile
  private var shown: Canvas?
  private var mustRepaint = false
  /// nil if the terminal gets no links.
  private var links: LinkWriter?
  private var hasColors = false
  /// True between `leave()` and the next frame.
  private var hasLeft = false
  private var rows: RowWriter
  /// Without rmam ncurses reaches the lower-right corner by inserting characters, which tears wide
  /// glyphs near it.
  private let canWriteCorner: Bool
  /// nil if the terminal does not set styles by ECMA-48 SGR, or must not move its cursor while one
  /// is set (no msgr).
  private var compressor: SGRCompressor?
  /// Position and visibility of the terminal's cursor; nil if unknown.
  private var place: CursorPlace?
  /// The maximum colour depth that the terminal supports.
  private let deepest: ColorDepth

  /// What the terminal is, as far as can be known without asking it.
  package let identity: TerminalIdentity

  /// The theme frames are drawn in.
  package var theme: Theme { rows.theme }
  /// The depth frames are drawn in: no deeper than the terminal.
  package var depth: ColorDepth { rows.depth }

  /// - Parameters:
  ///   - term: the name of the terminal, usually `TERM`.
  ///   - depth: the requested depth; nil uses the deepest that environment and terminal allow.
  ///   - links: whether links are written (OSC 8); nil writes them to terminals that are known to take them.
  package init(
    term: String, environment: [String: String], depth requested: ColorDepth?, theme: Theme,
    size: Size, links wantsLinks: Bool? = nil
  ) throws(TerminalFailure) {
    guard !term.isEmpty else { throw .noTerm }
    let terminfo = Self.terminfo(of: term)
    identity = TerminalIdentity(
      environment: environment.merging(["TERM": term]) { $1 }, terminfo: terminfo)
    let wantsDirect = requested.map { $0 == .direct } ?? identity.wantsDirect
    let direct = wantsDirect && cn_extended() ? DirectTerminfo.entry(for: term) : nil
    scratch = try ScratchFile()
    let file = scratch.descriptor
    guard Self.open(direct, term, file) || (direct != nil && Self.open(nil, term, file)) else {
      scratch.close()
      // `newterm` refuses hard-copy terminals such as "dumb" like unknown ones.
      throw terminfo == nil ? Self.unknown(term) : .incapable(term)
    }
    guard cn_has("cup"), cn_has("clear"), !cn_flag("hc") else {
      endwin()  // into the scratch file: the terminal has seen nothing yet
      scratch.close()
      throw .incapable(term)
    }
    if identity.writesLinks(wantsLinks) { links = LinkWriter() }
    typeahead(-1)  // never abandon half a frame because a key is waiting
    nonl()
    // Inserting, ncurses (6.4) draws a wide glyph at the seam of old and new a second time.
    idcok(cn_stdscr(), false)
    keypad(cn_stdscr(), true)
    canWriteCorner = cn_has("rmam")
    if cn_flag("msgr"), cn_begins("cup", "\u{1B}["), cn_begins("setaf", "\u{1B}["),
      cn_begins("sgr0", "\u{1B}")
    {
      compressor = SGRCompressor()
    }
    deepest = ColorDepth.detect(
      environment: [:], colors: Int(cn_number("colors")), isDirect: cn_flag("RGB"))
    let detected = ColorDepth.detect(
      environment: environment, colors: Int(cn_number("colors")), isDirect: cn_flag("RGB"))
    rows = RowWriter(
      theme: theme, depth: min(requested ?? detected, deepest), clears: compressor != nil)
    resize(to: size)
    // Leave and re-enter once: before its first return from `endwin` ncurses flushes after every cursor
    // move. This must precede `start_color`, or ncurses would reset the palette, and follow the resize,
    // because the scrolling region it sets outlives the program.
    endwin()
    scratch.skip()
    wrefresh(cn_stdscr())  // clears the screen
    mustRepaint = false
    curs_set(0)
    place = nil
    startColors()
  }

  /// Deferred until a depth with colours is used: the call itself writes colour sequences.
  private func startColors() {
    guard depth > .mono, !hasColors, has_colors() else { return }
    hasColors = true
    start_color()
    use_default_colors()
  }

  /// Opens the screen on a copy of the scratch descriptor, with a terminfo entry of our own or
  /// the system's. `TERMINFO` is restored afterwards, so that children do not inherit the entry.
  private static func open(
    _ direct: DirectTerminfo.Entry?, _ term: String, _ scratch: Int32
  ) -> Bool {
    let outer = getenv("TERMINFO").map { String(cString: $0) }
    if let direct { setenv("TERMINFO", direct.compiled, 1) }
    defer {
      if direct != nil {
        if let outer { setenv("TERMINFO", outer, 1) } else { unsetenv("TERMINFO") }
      }
    }
    // The scratch file has no size; `resize(to:)` gives the screen one afterwards. Without the
    // environment ncurses would refuse every terminal whose entry names none (linux).
    return cn_open(direct?.name ?? term, fcntl(scratch, F_DUPFD_CLOEXEC, 3)) != nil
  }

  /// Changes theme and depth; the next frame is a full redraw if either differs.
  package func adopt(theme: Theme, depth requested: ColorDepth? = nil) {
    let depth = min(requested ?? depth, deepest)
    guard theme != self.theme || depth != self.depth else { return }
    rows.theme = theme
    rows.depth = depth
    forgetStyles()
    startColors()
    if shown != nil { repaint() }  // otherwise the screen is blank, or about to be cleared
  }

  private func forgetStyles() {
    rows.styles.forget()
    if hasColors { cn_forget_pairs() }
  }

  /// The next frame is drawn in full, whatever the terminal shows.
  package func repaint() {
    shown = nil
    mustRepaint = true
  }

  /// The bytes that make the terminal show a canvas; empty if it already does.
  package func frame(_ canvas: Canvas) -> [UInt8] {
    let canvas = canvas.withoutDrawnCursor
    guard !canvas.bounds.isEmpty else { return [] }
    // Pictures take a pair for every two colours; once there are many, all are given out anew.
    if rows.styles.isCrowded {
      forgetStyles()
      repaint()
    }
    if canvas.size != Size(width: Int(cn_width()), height: Int(cn_height())) {
      resize(to: canvas.size)
    }
    if mustRepaint {
      shown = nil
      compressor?.forget()
      links?.forget()
      werase(cn_stdscr())
      clearok(cn_curscr(), true)
    }
    let wanted = wantedPlace(on: canvas)
    let drawsLinks = links?.isNeeded(for: canvas) ?? false
    var touched = drawsLinks ? Set([wanted.y, place?.y ?? wanted.y]) : []
    guard
      drawChanges(to: canvas, { if drawsLinks { touched.insert($0) } }) || mustRepaint
        || place != wanted || links?.differs(from: canvas) ?? false
    else { return [] }
    // Hide the cursor before drawing, show it once it is in place.
    if place?.isVisible != false, !wanted.isVisible { curs_set(0) }
    wmove(cn_stdscr(), Int32(wanted.y), Int32(wanted.x))
    wrefresh(cn_stdscr())
    if place?.isVisible != true, wanted.isVisible { curs_set(1) }
    place = wanted
    shown = canvas
    mustRepaint = false
    let bytes = hasLeft ? withoutPaletteReset(scratch.take()) : scratch.take()
    hasLeft = false
    let compressed = compressor?.compress(bytes) ?? bytes
    guard drawsLinks else { return compressed }
    let linked =
      links?.update(to: canvas, touched: touched, after: bytes, theme: theme, depth: depth) ?? []
    return compressed + linked
  }

  /// The requested cursor place, clamped to the screen.
  private func wantedPlace(on canvas: Canvas) -> CursorPlace {
    var place = canvas.cursor ?? .home
    place.x = min(max(0, place.x), max(0, canvas.size.width - 1))
    place.y = min(max(0, place.y), max(0, canvas.size.height - 1))
    return place
  }

  /// The bytes that leave the alternate screen; the next frame enters it again.
  package func leave() -> [UInt8] {
    curs_set(1)
    endwin()
    place = nil
    let bytes = scratch.take()
    hasLeft = true
    repaint()
    return compressor?.compress(bytes, isLast: true) ?? bytes
  }

  /// Hides the cursor again after `leave()`.
  func enter() {
    curs_set(1)  // ncurses may believe it hidden already, and would write nothing
    curs_set(0)
    place = nil
  }

  private func resize(to size: Size) {
    guard size.width > 0, size.height > 0 else { return }
    resizeterm(Int32(size.height), Int32(size.width))
    compressor?.rows = UInt16(clamping: size.height)
    // Terminals differ in what they keep of the picture when resized.
    repaint()
  }

  /// Writes changed rows to ncurses, which finds the changed cells.
  ///
  /// - Parameter changed: gets each row that differs.
  /// - Returns: whether any row differs.
  private func drawChanges(to canvas: Canvas, _ changed: (_ y: Int) -> Void) -> Bool {
    var hasChanged = false
    canvas.forEachChangedRow(since: shown) { cells, y in
      hasChanged = true
      changed(y)
      rows.write(cells, at: y, wideEnd: wideEnd(y, canvas.size))
    }
    return hasChanged
  }

  /// First column without wide glyphs: near the lower-right corner if ncurses would have to insert
  /// characters to reach it.
  private func wideEnd(_ y: Int, _ size: Size) -> Int {
    y == size.height - 1 && !canWriteCorner ? size.width - 4 : .max
  }

  /// Removes the palette reset (`oc`) that ncurses writes on re-entry: this program defines no colours,
  /// and the user's must stay.
  private func withoutPaletteReset(_ bytes: [UInt8]) -> [UInt8] {
    guard let reset = cn_text("oc"), let range = bytes.firstRange(of: String(cString: reset).utf8)
    else { return bytes }
    return Array(bytes[..<range.lowerBound] + bytes[range.upperBound...])
  }
}

extension CursesScreen {
  /// Looks up a terminal without opening a screen on it; nil if terminfo has no entry.
  package static func terminfo(of term: String) -> TerminfoFacts? {
    guard !term.isEmpty, cn_is_known(term) else { return nil }
    var facts = TerminfoFacts(colors: max(0, Int(cn_number("colors"))))
    facts.isDirect = cn_flag("RGB")
    facts.canDraw = cn_has("cup") && cn_has("clear") && !cn_flag("hc")
    facts.hasTitles = cn_flag("XT")
    facts.hasMouse = cn_has("kmous") || cn_has("XM")
    facts.hasPaste = cn_has("BE")
    facts.hasClipboard = cn_has("Ms")
    facts.hasFlash = cn_begins("flash", "\u{1B}[?5h")
    return facts
  }
}

extension CursesScreen {
  /// The failure to report for a terminal without a terminfo entry.
  package static func unknown(_ term: String) -> TerminalFailure {
    .unknownTerm(term, hasOthers: isKnown("xterm-256color"))
  }

  /// Whether terminfo has an entry of this name.
  package static func isKnown(_ term: String) -> Bool { cn_is_known(term) }
}
