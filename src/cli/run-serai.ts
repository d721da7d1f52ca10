import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../domain/errors.ts'
import { nearestWord } from '../lib/text/nearest-word.ts'
import { type Command, plain, print, WrongArgument } from './command.ts'

type Entry = { readonly summary: string; load(): Promise<Command> }

/** Each command is loaded when called, so that a small one starts quickly. */
const COMMANDS: Record<string, Entry> = {
  serve: { summary: 'serve the API and the page', load: async () => (await import('./commands/serve.ts')).serve },
  dev: { summary: 'serve with a demo account (npm start)', load: async () => (await import('./commands/dev.ts')).dev },
  migrate: { summary: 'update the database schema', load: async () => (await import('./commands/migrate.ts')).migrate },
  accounts: {
    summary: 'add, list or disable accounts',
    load: async () => (await import('./commands/accounts.ts')).accounts,
  },
  api: { summary: 'call an operation for operators', load: async () => (await import('./commands/api.ts')).api },
  persons: {
    summary: 'erase personal data of guests',
    load: async () => (await import('./commands/persons.ts')).persons,
  },
  vendors: { summary: 'list or check the vendors', load: async () => (await import('./commands/vendors.ts')).vendors },
  content: { summary: 'read the vendors’ content', load: async () => (await import('./commands/content.ts')).content },
  catalogue: {
    summary: 'explain, join or split properties',
    load: async () => (await import('./commands/catalogue.ts')).catalogue,
  },
  mcp: { summary: 'serve one agent over stdio', load: async () => (await import('./commands/mcp.ts')).mcp },
  backup: { summary: 'copy the SQLite database', load: async () => (await import('./commands/backup.ts')).backup },
  restore: { summary: 'restore the SQLite database', load: async () => (await import('./commands/backup.ts')).restore },
}

const PACKAGE = join(import.meta.dirname, '../../package.json')
const isHelp = (argument: string | undefined) => argument === '--help' || argument === '-h'

async function runCommand(entry: Entry, args: string[]): Promise<number | undefined> {
  const { usage, run } = await entry.load()
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

/** What is wrong with the arguments, or in a file that they name, line by line. Undefined if something else has failed. */
function wrongArgument(error: unknown): string | undefined {
  if (error instanceof AppError && error.errors.length > 0)
    return error.errors.map(({ message }) => plain(message)).join('\n')
  const isWrong = error instanceof WrongArgument || /^ERR_PARSE_ARGS/.test(String(Object(error).code))
  return isWrong ? Object(error).message : undefined
}

/** Runs one command line. Returns the exit code; undefined keeps the process running. */
export async function runSerai([name = 'help', ...args]: readonly string[]): Promise<number | undefined> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (entry !== undefined) return runCommand(entry, args)
  const lines = Object.entries(COMMANDS).map(([key, { summary }]) => `  serai ${key.padEnd(10)} ${summary}`)
  const help = [
    'Usage: serai COMMAND',
    '',
    ...lines,
    '',
    'serai COMMAND --help prints the options, serai --version the version.',
  ].join('\n')
  if (name === 'help' || isHelp(name)) return print(help, 0)
  if (name === '--version') return print(JSON.parse(readFileSync(PACKAGE, 'utf8')).version, 0)
  const meant = nearestWord(name, Object.keys(COMMANDS))
  return print(`There is no command ${name}${meant === undefined ? '.' : `; did you mean ${meant}?`}\n\n${help}`, 2)
}
