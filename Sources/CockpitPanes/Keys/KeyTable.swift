import TerminalCore

/// The key bindings of the cockpit, defined only here.
///
/// Dispatch, help overlay, hint row and docs/keys.md all read this table, so bindings and
/// documentation cannot differ.
package struct KeyTable: Equatable, Sendable {
  /// One command, its keys and its description.
  package struct Binding: Equatable, Sendable {
    package var command: KeyAction
    package var keys: [KeyChord]
    package var group: KeyGroup
    /// The description in help.
    package var help: PlainText
    /// A word or two for the hint row; nil if it is never shown there.
    package var hint: PlainText?

    /// How to invoke it: its keys, or else its name on the command line.
    package var keyTexts: [String] {
      keys.isEmpty ? [":" + command.rawValue] : keys.map(\.description)
    }

    init(
      _ command: KeyAction, _ keys: [KeyChord], _ group: KeyGroup, _ help: PlainText,
      hint: PlainText? = nil
    ) {
      self.command = command
      self.keys = keys
      self.group = group
      self.help = help
      self.hint = hint
    }
  }

  package let bindings: [Binding]

  package init(bindings: [Binding]) { self.bindings = bindings }

  /// The meaning of a sequence of key presses.
  package enum Match: Equatable, Sendable {
    case command(KeyAction)
    /// The beginning of at least one binding: wait for the next key.
    case prefix
    case none
  }

  /// Looks a sequence up. A complete binding wins over a longer one that it begins.
  package func match(_ presses: [KeyPress]) -> Match {
    var isPrefix = false
    for binding in bindings {
      for chord in binding.keys {
        if chord.presses == presses { return .command(binding.command) }
        if chord.presses.count > presses.count, chord.presses.starts(with: presses) {
          isPrefix = true
        }
      }
    }
    return isPrefix ? .prefix : .none
  }

  /// The bindings that a pending prefix can still become, with the key that completes each.
  package func continuations(of presses: [KeyPress]) -> [(key: KeyChord, binding: Binding)] {
    bindings.flatMap { binding in
      binding.keys.compactMap { chord in
        guard chord.presses.count > presses.count, chord.presses.starts(with: presses) else {
          return nil
        }
        return (KeyChord(Array(chord.presses.dropFirst(presses.count))), binding)
      }
    }
  }

  package func binding(for command: KeyAction) -> Binding? {
    // By index: `first(where:)` would copy every binding before it.
    bindings.indices.first { bindings[$0].command == command }.map { bindings[$0] }
  }
}

extension KeyTable {
  /// The keys of a fresh installation (they all work on a keyboard without Alt and F-keys).
  package static let standard = KeyTable(bindings: [
    Binding(.pulse, ["1", "g p"], .tabs, "PULSE: what the bot does, as it happens"),
    Binding(.voice, ["2", "g v"], .tabs, "VOICE: the live voice session"),
    Binding(.brain, ["3", "g b"], .tabs, "BRAIN: how an answer came about"),
    Binding(.memory, ["4", "g m"], .tabs, "MEMORY: what the bot remembers"),
    Binding(.cmd, ["5", "g c"], .tabs, "CMD: connection, actions, system"),
    Binding(.nextTab, ["g t"], .tabs, "next tab"),
    Binding(.previousTab, ["g T"], .tabs, "previous tab"),
    Binding(.nextPanel, ["Tab"], .tabs, "next panel", hint: "panel"),
    Binding(.previousPanel, ["S-Tab"], .tabs, "previous panel"),
    Binding(.zoom, ["z"], .tabs, "give the panel the whole screen, and back", hint: "zoom"),
    Binding(.back, ["Esc", "C-o"], .tabs, "one level up; at the top clear find, then the filter"),
    Binding(.help, ["?", "F1"], .tabs, "this help", hint: "help"),
    Binding(
      .explain, ["K"], .tabs, "what the word under the cursor means, and what to do",
      hint: "explain"),
    Binding(.triage, ["!"], .tabs, "what is wrong with the bot, and what to do", hint: "triage"),
    Binding(
      .digest, ["A"], .tabs, "last night on one screen: since you last looked, or :digest 22:00",
      hint: "digest"),
    Binding(
      .incidents, ["g i"], .tabs, "what the rules over events found, and the rows that say so; A A",
      hint: "incidents"),
    Binding(
      .bundle, ["B"], .tabs,
      "one file of the last 10 minutes, redacted, to give away; or :bundle 30m"),
    Binding(
      .figures, ["#"], .tabs, "the figures on the screen: Enter shows the rows behind one",
      hint: "figures"),
    Binding(.guild, ["g G"], .tabs, "one guild on all tabs, or all: the line asks which"),
    Binding(
      .timeLine, ["T"], .tabs, "the past: every tab as it was at a time that was recorded",
      hint: "past"),
    Binding(.note, ["M"], .tabs, "a mark here, with a note, in what is recorded; ]m finds it"),
    Binding(.pin, ["P"], .tabs, "keep the recording of the last minutes, whatever its age"),
    Binding(.why, ["W"], .tabs, "why did it say that, or stay silent", hint: "why"),
    Binding(.quit, ["q"], .tabs, "close this level; at the top quit", hint: "quit"),
    Binding(.interrupt, ["C-c"], .tabs, "close what is open, else quit"),

    Binding(.down, ["j", "Down"], .moving, "down"),
    Binding(.up, ["k", "Up"], .moving, "up"),
    Binding(.left, ["h", "Left"], .moving, "left: chips, lanes, prompt versions"),
    Binding(.right, ["l", "Right"], .moving, "right: chips, lanes, prompt versions"),
    Binding(.scrollLeft, ["H"], .moving, "scroll text 10 columns left"),
    Binding(.scrollRight, ["L"], .moving, "scroll text 10 columns right"),
    Binding(.top, ["g g", "Home"], .moving, "newest row, and follow again"),
    Binding(.bottom, ["G", "End"], .moving, "oldest row"),
    Binding(.halfPageDown, ["C-d"], .moving, "half a page down"),
    Binding(.halfPageUp, ["C-u"], .moving, "half a page up"),
    Binding(.pageDown, ["PgDn", "C-f"], .moving, "a page down"),
    Binding(.pageUp, ["PgUp", "C-b"], .moving, "a page up"),
    Binding(.open, ["Enter"], .moving, "open the row, fold or unfold, switch a chip", hint: "open"),

    Binding(
      .filter, ["f"], .feed, "filter: kind:llm_* since:15m …; settings that differ", hint: "filter"),
    Binding(.filterToggle, ["\\"], .feed, "filter off and on again"),
    Binding(.find, ["/"], .feed, "find text, keeping all rows", hint: "find"),
    Binding(.findNext, ["n"], .feed, "next hit (older)"),
    Binding(.findPrevious, ["N"], .feed, "previous hit (newer)"),
    Binding(.onlyMatches, ["&"], .feed, "keep only the rows that find hits"),
    Binding(.pause, ["Space"], .feed, "pause the feed, and go on", hint: "pause"),
    Binding(.follow, ["F"], .feed, "follow the newest row", hint: "follow"),
    Binding(
      .level, ["V"], .feed, "how much the feed shows: story, normal, everything", hint: "level"),
    Binding(.timeFormat, ["t"], .feed, "clock, age, clock with milliseconds"),
    Binding(.wrap, ["w"], .feed, "wrap long text in the detail"),
    Binding(.nextError, ["] e"], .feed, "next error (older)", hint: "error"),
    Binding(.previousError, ["[ e"], .feed, "previous error (newer)"),
    Binding(.nextGap, ["] g"], .feed, "next gap (older)"),
    Binding(.previousGap, ["[ g"], .feed, "previous gap (newer)"),
    Binding(.nextDay, ["] d"], .feed, "the day before"),
    Binding(.previousDay, ["[ d"], .feed, "the day after"),
    Binding(.nextIncident, ["] a"], .feed, "next incident (older)"),
    Binding(.previousIncident, ["[ a"], .feed, "previous incident (newer)"),
    Binding(.nextMark, ["] m"], .feed, "next mark of the recording (older)"),
    Binding(.previousMark, ["[ m"], .feed, "previous mark of the recording (newer)"),
    Binding(.mark, ["m"], .feed, "mark the row with the letter that follows"),
    Binding(.jumpToMark, ["'"], .feed, "go to the mark of the letter that follows; '' goes back"),
    Binding(.moreContext, [")"], .feed, "more of the rows around a hit that the filter hides"),
    Binding(.lessContext, ["("], .feed, "fewer of them"),
    Binding(.rawJSON, ["J"], .feed, "raw JSON of the row, and back", hint: "raw"),
    Binding(
      .detailPage, ["p"], .feed, "next page of the detail: fields, prompts, metadata",
      hint: "page"),

    Binding(.nextTurn, ["}"], .voice, "next turn (older); in MEMORY next guild", hint: "turn"),
    Binding(.previousTurn, ["{"], .voice, "previous turn (newer); in MEMORY previous guild"),
    Binding(
      .report, ["R"], .voice, "the voice session as a report, a paragraph a turn; and back",
      hint: "report"),
    Binding(.events, ["g l"], .voice, "every event of the voice session, by lane and kind"),
    Binding(.anomalies, ["g a"], .voice, "what went wrong in the voice session, by name"),
    Binding(
      .conversations, ["g d"], .voice,
      "the conversations of 24 hours by channel, with how each came about",
      hint: "conversations"),
    Binding(.nextView, ["] ]"], .voice, "next view or session", hint: "view"),
    Binding(.previousView, ["[ ["], .voice, "previous view or session"),
    Binding(.zoomIn, ["+"], .voice, "a shorter stretch of time"),
    Binding(.zoomOut, ["-"], .voice, "a longer stretch of time"),
    Binding(
      .compare, ["="], .voice,
      "what changed since the version before; in PULSE and CMD better or worse than before",
      hint: "diff"),
    Binding(
      .pager, ["o"], .voice, "the text in $PAGER; in PULSE the row's links, to copy", hint: "pager"),
    Binding(.sort, ["O"], .voice, "another order of the list", hint: "sort"),

    Binding(
      .search, ["s"], .memory,
      "search all that was recorded; in MEMORY facts by meaning, on the backend",
      hint: "search"),
    Binding(
      .edit, ["e"], .memory, "edit the fact, the type of all selected, or the setting", hint: "edit"
    ),
    Binding(.editExternally, ["E"], .memory, "edit the fact or setting in $EDITOR"),
    Binding(
      .delete, ["D"], .memory,
      "delete the fact, or all selected, or the reflection run; a setting to its default",
      hint: "delete"),
    Binding(
      .undo, ["u"], .memory, "take back the held deletion, or the last save of a setting",
      hint: "undo"),
    Binding(.sendHeld, ["U"], .memory, "send the held deletions now"),
    Binding(.select, ["v"], .memory, "select the fact, and go on", hint: "select"),
    Binding(
      .uses, ["g r"], .memory, "where the fact came from and what used it; in PULSE a row's fact",
      hint: "uses"),
    Binding(.purgeMemory, [], .memory, "delete all memory of the shown guild; asks"),
    Binding(.journal, ["g j"], .memory, "the journal: every change and what came of it"),

    Binding(.profiles, ["C"], .command, "profiles: see and switch the connection", hint: "connect"),
    Binding(.joinVoice, [], .command, "let the bot join voice: guild, person, text channel"),
    Binding(.refreshMemory, [], .command, "let the bot sum up its memory anew"),
    Binding(.setup, [], .command, "address and token of a backend: enter, test, save"),
    Binding(.clientLog, [], .command, "the log of this program"),
    Binding(
      .settings, ["S", "g s"], .command, "the settings of the bot: read, search, change",
      hint: "settings"),
    Binding(.settingsPreset, [], .command, "take the defaults of a preset; asks"),
    Binding(.settingsReset, [], .command, "reset all settings of the bot; asks"),
    Binding(.settingsApply, [], .command, "apply the stored settings to live voice sessions; asks"),
    Binding(
      .runtime, ["g e"], .command, "what the bot runs with now, and which setting made it so"),

    Binding(
      .chat, ["i"], .command, "of a gateway: write to one of its agents", hint: "chat"),
    Binding(.chatToggle, ["`"], .command, "of a gateway: show or hide the conversation"),

    Binding(.copy, ["y", "c"], .program, "copy: row, JSON, id, link, curl …", hint: "copy"),
    Binding(.copyJSON, ["Y"], .program, "copy the JSON at once"),
    Binding(.plain, [], .program, "the panel as plain text, to select with the mouse"),
    Binding(.theme, [], .program, "another theme, shown while you choose"),
    Binding(.notifyTest, [], .program, "send one notification, to see whether it arrives"),
    Binding(.commandLine, [":"], .program, "a command by its name; Tab completes"),
    Binding(
      .palette, ["C-p"], .program, "find a command by part of its name, or ask a question",
      hint: "find command"),
    Binding(.refresh, ["r"], .program, "fetch anew; reconnect now"),
    Binding(.repaint, ["C-l"], .program, "paint the screen anew"),
    Binding(.mouse, ["%", "F2"], .program, "mouse: ours or the terminal's, for selecting text"),
    Binding(.suspend, ["C-z"], .program, "suspend; fg comes back"),
  ])
}

extension KeyTable {
  /// The keys of a screen with several sources, one of which may draw: the commands of one source, and those that only
  /// these need.
  package static let complete = KeyTable(
    bindings: standard.bindings + [
      Binding(
        .nextSource, ["b"], .command,
        "the next source of this profile, in PULSE all at last; :source NAME",
        hint: "source"),
      Binding(
        .canvas, ["g x"], .command, "where an agent draws: what it has drawn", hint: "canvas"),
      Binding(.canvasDraw, [], .command, "where an agent draws: draw on its canvas, and send it"),
    ])

  /// The same for one source.
  package var forOneSource: KeyTable {
    KeyTable(bindings: bindings.filter { $0.command != .nextSource })
  }

  /// The same for a source that draws nothing.
  package var withoutCanvas: KeyTable {
    KeyTable(bindings: bindings.filter { $0.command != .canvas && $0.command != .canvasDraw })
  }

  /// The same without the keys that can change something on the backend, for `--read-only`.
  package var withoutMutations: KeyTable {
    KeyTable(bindings: bindings.filter { !$0.command.isMutation })
  }
}

extension KeyTable {
  /// The same, with a chord that now asks for this command and for no other.
  package func assigning(_ chord: KeyChord, to command: KeyAction) -> KeyTable {
    KeyTable(
      bindings: bindings.map { binding in
        var binding = binding
        binding.keys.removeAll { $0 == chord }
        if binding.command == command { binding.keys.insert(chord, at: 0) }
        return binding
      })
  }
}

extension KeyTable {
  /// The keys of a field that finds.
  var findingHint: PlainText {
    "Enter finds  Esc leaves  then " + text(.findNext) + " " + text(.findPrevious)
      + " walk the hits"
  }
}
