import CockpitText
import ClankyWire
import TerminalCore

/// The bot's view of shared screens: notes, frames, commentary, recap, who shares.
@MainActor
struct ScreenPanel {
  let facts: ViewContext
  var watch: StreamWatch
  /// Everything there is, for a panel that has the screen.
  var isFull: Bool
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  var trailing: PlainText {
    guard watch.active == true else { return watch.active == nil ? "-" : "off" }
    return figures.user(watch.targetUserID) + "  " + Figures.count(noteCount) + " notes"
  }

  /// The older dialect sends no count.
  private var noteCount: Int { max(watch.noteCount ?? 0, watch.visualFeed.count) }

  var lines: [VoiceLine] {
    var lines: [VoiceLine] = []
    if isFull { lines += details }
    // The newest note is at the top, with its age.
    for note in watch.visualFeed.reversed() {
      let text = figures.text(note.text, limit: 600)
      let age = VoiceLine.Span(text: figures.age(note.at), role: .muted)
      if isFull {
        let by = [note.speakerName, note.provider, note.model].compactMap { $0 }
          .joined(separator: " ")
        for (index, part) in text.wrapped(to: max(8, width - 9), limit: 6).enumerated() {
          lines.append(
            VoiceLine(
              [.symbol(index == 0 ? .bullet : .block(0), .media), .init(text: part)],
              trailing: index == 0 ? [age] : []))
        }
        if !by.isEmpty { lines.append(VoiceLine([.label("  by " + PlainText(by, limit: 80))])) }
      } else {
        lines.append(VoiceLine([.symbol(.bullet, .media), .init(text: text)], trailing: [age]))
      }
    }
    if lines.isEmpty, let note = watch.lastCommentaryNote {
      lines.append(VoiceLine([.symbol(.bullet, .media), .init(text: figures.text(note))]))
    }
    return lines
  }

  private var details: [VoiceLine] {
    let native = watch.nativeDiscord
    var lines = [
      VoiceLine("active", figures.yesNo(watch.active), labelWidth: 12),
      VoiceLine("target", figures.user(watch.targetUserID), .voice, labelWidth: 12),
      VoiceLine("asked by", figures.user(watch.requestedByUserID), .voice, labelWidth: 12),
      VoiceLine(
        "frames",
        Figures.count(watch.ingestedFrameCount) + " total, "
          + Figures.count(watch.acceptedFrameCountInWindow) + " in the window since "
          + figures.time(watch.frameWindowStartedAt), .number, labelWidth: 12),
      VoiceLine(
        "last frame",
        figures.age(watch.latestFrameAt ?? watch.lastFrameAt) + " ago  "
          + Figures.bytes(watch.latestFrameApproxBytes) + "  "
          + figures.text(watch.latestFrameMimeType, limit: 40), .number, labelWidth: 12),
      VoiceLine("accepted at", figures.time(watch.lastFrameAt), .number, labelWidth: 12),
      VoiceLine(
        "notes",
        Figures.count(watch.noteCount) + ", last " + figures.age(watch.lastNoteAt) + " ago by "
          + figures.text(watch.lastNoteProvider, limit: 40) + " "
          + figures.text(watch.lastNoteModel, limit: 60), .number, labelWidth: 12),
    ]
    lines += VoiceLine.wrapped(
      "commentary",
      figures.text(watch.lastCommentaryNote, limit: 1000) + "  "
        + figures.age(watch.lastCommentaryAt),
      width: width, labelWidth: 12)
    let saved: PlainText = watch.lastMemoryRecapDurableSaved == true ? ", saved" : ""
    lines += VoiceLine.wrapped(
      "recap",
      figures.text(watch.lastMemoryRecapText, limit: 1000) + "  "
        + figures.age(watch.lastMemoryRecapAt)
        + saved + "  " + figures.text(watch.lastMemoryRecapReason, limit: 80), width: width,
      labelWidth: 12)
    lines.append(
      VoiceLine(
        "discord",
        Figures.count(native.activeSharerCount) + " sharing, watching "
          + figures.user(native.subscribedTargetUserID) + ", decoding "
          + figures.yesNo(native.decodeInFlight) + ", ffmpeg "
          + figures.yesNo(native.ffmpegAvailable),
        labelWidth: 12))
    lines.append(
      VoiceLine(
        "decode",
        "tried " + figures.age(native.lastDecodeAttemptAt) + "  ok "
          + figures.age(native.lastDecodeSuccessAt) + "  failed "
          + figures.age(native.lastDecodeFailureAt) + "  "
          + figures.text(native.lastDecodeFailureReason), labelWidth: 12))
    for sharer in native.activeSharers {
      lines.append(
        VoiceLine(
          "  sharer",
          figures.text(sharer.displayName ?? sharer.userID, limit: 40) + "  "
            + figures.text(sharer.codec, limit: 20) + "  " + Figures.count(sharer.streamCount)
            + " streams  frame " + figures.age(sharer.lastFrameAt) + "  seen "
            + figures.age(sharer.updatedAt), .voice, labelWidth: 12))
    }
    if let payload = watch.notePayload {
      lines += VoiceLine.wrapped(
        "note prompt", figures.text(payload.prompt, limit: 4000), .muted, width: width,
        labelWidth: 12)
      for note in payload.notes {
        lines += VoiceLine.wrapped(
          "  told", figures.text(note, limit: 600), .muted, width: width, limit: 4, labelWidth: 12)
      }
      lines.append(
        VoiceLine(
          "  noted",
          figures.age(payload.lastAt) + " ago by " + figures.text(payload.provider, limit: 40) + " "
            + figures.text(payload.model, limit: 60), .muted, labelWidth: 12))
    }
    return lines
  }
}
