import ClankyHTTP
import Testing
