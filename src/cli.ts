#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { explainFailure } from './cli/failure.ts'
import { keepTicksQuick } from './lib/quick-ticks.ts'

keepTicksQuick()

// Spares a second start the reading of some hundred files. Where the folder cannot be written, it is done without.
enableCompileCache(join(import.meta.dirname, '..', '.runtime', 'compiled'))

/** A command reads its own arguments, says what it did, and answers an exit code; undefined keeps the process running. */
type Command = { readonly words: string; run(args: string[]): Promise<number | undefined> }

/** Each is loaded when it is called: listing accounts must not take as long as starting a server. */
const COMMANDS: Record<string, Command> = {
  serve: {
    words: 'serve the API and the page',
    run: async (args) => (await import('./cli/serve.ts')).serveCommand(args),
  },
  dev: {
    words: 'serve with a demo account, for trying out (what npm start does)',
    run: async () => (await import('./cli/serve.ts')).devCommand(),
  },
  migrate: {
    words: 'bring the database up to date and stop',
    run: async () => (await import('./cli/migrate.ts')).migrateCommand(),
  },
  accounts: {
    words: 'add | list | disable | set-password',
    run: async (args) => (await import('./cli/accounts.ts')).accountsCommand(args),
  },
  bookings: {
    words: 'list | show | settle | resolve',
    run: async (args) => (await import('./cli/operator.ts')).operateBookings(args),
  },
  vendors: {
    words: 'list | check: which vendors are connected, and whether they answer',
    run: async (args) => (await import('./cli/operator.ts')).operateVendors(args),
  },
  content: {
    words: 'sync: read the vendors’ content into the catalogue',
    run: async (args) => (await import('./cli/operator.ts')).operateContent(args),
  },
  catalogue: {
    words: 'explain | join | split: which vendors’ properties are one building',
    run: async (args) => (await import('./cli/operator.ts')).operateCatalogue(args),
  },
  backup: {
    words: 'FILE: copy the running SQLite database',
    run: async (args) => (await import('./cli/backup.ts')).backupCommand(args),
  },
  restore: {
    words: 'FILE: put a backup in place of the SQLite database',
    run: async (args) => (await import('./cli/backup.ts')).restoreCommand(args),
  },
}

const [name = 'help', ...args] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined

if (command === undefined) {
  const lines = Object.entries(COMMANDS).map(([key, { words }]) => `  serai ${key.padEnd(10)} ${words}`)
  console.log(['Serai, a hotel-booking aggregator.', '', ...lines].join('\n'))
  process.exitCode = ['help', '--help', '-h'].includes(name) ? 0 : 2
} else {
  try {
    const code = await command.run(args)
    if (code !== undefined) process.exitCode = code
  } catch (error) {
    console.error(explainFailure(error))
    process.exit(1)
  }
}
