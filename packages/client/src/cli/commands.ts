import type { Command } from './command.ts'
import { bookCommand } from './commands/book.ts'
import { bookingsCommand } from './commands/bookings.ts'
import { cancelCommand } from './commands/cancel.ts'
import { checkCommand } from './commands/check.ts'
import { createCompletionCommand } from './commands/completion.ts'
import { doctorCommand } from './commands/doctor.ts'
import { listenCommand } from './commands/listen.ts'
import { loginCommand, logoutCommand } from './commands/login.ts'
import { placesCommand } from './commands/places.ts'
import { searchCommand } from './commands/search.ts'
import { showCommand } from './commands/show.ts'
import { triggerCommand } from './commands/trigger.ts'

const NAMED_COMMANDS: Readonly<Record<string, Command>> = {
  login: loginCommand,
  logout: logoutCommand,
  places: placesCommand,
  search: searchCommand,
  show: showCommand,
  check: checkCommand,
  book: bookCommand,
  bookings: bookingsCommand,
  cancel: cancelCommand,
  listen: listenCommand,
  trigger: triggerCommand,
  doctor: doctorCommand,
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  ...NAMED_COMMANDS,
  completion: createCompletionCommand(NAMED_COMMANDS),
}
