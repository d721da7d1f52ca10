import type { Command } from './command.ts'
import { book } from './commands/book.ts'
import { bookings } from './commands/bookings.ts'
import { cancel } from './commands/cancel.ts'
import { check } from './commands/check.ts'
import { completionOf } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { listen } from './commands/listen.ts'
import { login, logout } from './commands/login.ts'
import { places } from './commands/places.ts'
import { search } from './commands/search.ts'
import { show } from './commands/show.ts'
import { trigger } from './commands/trigger.ts'

const OTHERS: Readonly<Record<string, Command>> = {
  login,
  logout,
  places,
  search,
  show,
  check,
  book,
  bookings,
  cancel,
  listen,
  trigger,
  doctor,
}

export const COMMANDS: Readonly<Record<string, Command>> = { ...OTHERS, completion: completionOf(OTHERS) }
