import CockpitText
import TerminalCore

/// The columns of a feed row at a given width. Priority, last dropped first: accent, time, kind,
/// body, cost, duration, channel, guild, user.
struct FeedColumns: Hashable {
  /// The start and width of a column; nil if it does not fit.
  struct Column: Hashable {
    var x: Int
    var width: Int
  }

  var time: Column
  var kind: Column
  var channel: Column?
  var user: Column?
  var body: Column
  var duration: Column?
  var cost: Column?
  /// Columns of the brackets of turns, before the kind.
  var lanes: Int
  /// The first of them.
  var laneX: Int
  /// Whether the text may extend into unused duration and cost columns: on a narrow screen most
  /// rows have neither, and the text needs the room.
  var reclaims = false

  /// - Parameters:
  ///   - hasDates: whether some rows need their date beside the time.
  ///   - tag: columns of the tag of the source, with a space.
  ///   - lanes: columns of the brackets of turns.
  init(
    width: Int, timeStyle: ClockFormat.Style, hasDates: Bool = false, tag: Int = 0, lanes: Int = 0
  ) {
    self.lanes = lanes
    var x = 1 + tag  // the accent and the tag
    var timeWidth = timeStyle.columns
    if width < 36 {
      timeWidth = min(timeWidth, 5)
    } else if hasDates {
      let wanted = ClockFormat.rowColumns(timeStyle)
      timeWidth = max(timeWidth, width < 72 ? min(wanted, 11) : wanted)
    }
    time = Column(x: x, width: timeWidth)
    x += timeWidth + 1
    laneX = x
    x += lanes

    // Kind shrinks 28 > 22 > 17 > 13 > 12 > a code of 3 letters.
    let kindWidth =
      switch width {
      case 150...: 28
      case 110...: 22
      case 100...: 17
      case 72...: 13
      case 52...: 12
      default: 3
      }
    kind = Column(x: x, width: kindWidth)
    x += kindWidth + 1

    if width >= 120 {
      channel = Column(x: x, width: 16)
      x += 17
    }
    if width >= 140 {
      user = Column(x: x, width: 12)
      x += 13
    }
    reclaims = width < 100
    var end = width
    if width >= 60 {
      end -= 8
      cost = Column(x: end, width: 8)
    }
    if width >= 68 {
      end -= 7
      duration = Column(x: end, width: 6)
    }
    body = Column(x: x, width: max(0, end - x - (end < width ? 1 : 0)))
  }
}
