import { AppError } from '../domain/errors.ts'
import { nearestWord } from '../lib/text/nearest-word.ts'
import { VERSION } from '../lib/version.ts'
import { type Command, print, sanitize, WrongArgument } from './command.ts'

type Entry = readonly [summary: string, load: () => Promise<Command>]

/** Commands are loaded when called, so that a small one starts quickly. */
const COMMANDS: Record<string, Entry> = {
  serve: ['serve the API and the page', async () => (await import('./commands/serve.ts')).serveCommand],
  dev: ['serve with a demo account (npm start)', async () => (await import('./commands/dev.ts')).devCommand],
  migrate: ['update the database schema', async () => (await import('./commands/migrate.ts')).migrateCommand],
  accounts: ['add, list or disable accounts', async () => (await import('./commands/accounts.ts')).accountsCommand],
  api: ['call an API operation as operator', async () => (await import('./commands/api.ts')).apiCommand],
  bookings: [
    'compare bookings with the vendors',
    async () => (await import('./commands/bookings.ts')).reconcileCommand,
  ],
  payments: ['show and settle card payments', async () => (await import('./commands/payments.ts')).paymentsCommand],
  persons: ['erase personal data of guests', async () => (await import('./commands/persons.ts')).personsCommand],
  vendors: ['list or check the vendors', async () => (await import('./commands/vendors.ts')).vendorsCommand],
  content: ['read the vendors’ content', async () => (await import('./commands/content.ts')).contentCommand],
  catalogue: [
    'explain, join or split properties',
    async () => (await import('./commands/catalogue.ts')).catalogueCommand,
  ],
  mcp: ['serve one agent over stdio', async () => (await import('./commands/mcp.ts')).mcpCommand],
  backup: ['copy the SQLite database', async () => (await import('./commands/backup.ts')).backupCommand],
  secrets: [
    'encrypt the database with a new secret',
    async () => (await import('./commands/secrets.ts')).secretsCommand,
  ],
  restore: ['restore the SQLite database', async () => (await import('./commands/backup.ts')).restoreCommand],
}

const isHelp = (argument: string | undefined) => argument === '--help' || argument === '-h'

async function runCommand([, load]: Entry, args: string[]): Promise<number | undefined> {
  const { usage, run } = await load()
  const describe = () => (typeof usage === 'string' ? usage : usage(args))
  if (args.some(isHelp)) return print(await describe(), 0)
  try {
    return await run(args)
  } catch (error) {
    const wrong = wrongArgument(error)
    if (wrong === undefined) throw error
    return print(`${wrong}\n\n${await describe()}`, 2)
  }
}

/** Undefined if the error is not about the arguments or a file that they name. */
function wrongArgument(error: unknown): string | undefined {
  if (error instanceof AppError && error.errors.length > 0)
    return error.errors.map(({ message }) => sanitize(message)).join('\n')
  const isWrong = error instanceof WrongArgument || /^ERR_PARSE_ARGS/.test(String(Object(error).code))
  return isWrong ? Object(error).message : undefined
}

/** Returns the exit code; undefined keeps the process running. */
export async function runSerai([name = 'help', ...args]: readonly string[]): Promise<number | undefined> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (entry !== undefined) return runCommand(entry, args)
  const lines = Object.entries(COMMANDS).map(([key, [summary]]) => `  serai ${key.padEnd(10)} ${summary}`)
  const help = [
    'Usage: serai COMMAND',
    '',
    ...lines,
    '',
    'serai COMMAND --help prints its options; serai --version prints the version.',
  ].join('\n')
  if (name === 'help' || isHelp(name)) return print(help, 0)
  if (name === '--version') return print(VERSION, 0)
  const meant = nearestWord(name, Object.keys(COMMANDS))
  return print(`There is no command ${name}${meant === undefined ? '.' : `; did you mean ${meant}?`}\n\n${help}`, 2)
}
