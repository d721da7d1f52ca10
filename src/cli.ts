#!/usr/bin/env node
import { accountsCommand } from './cli/accounts.ts'
import { backupCommand, restoreCommand } from './cli/backup.ts'
import { explainFailure } from './cli/failure.ts'
import { operateBookings, operateCatalogue, operateContent, operateVendors } from './cli/operator.ts'
import { devCommand, migrateCommand, serveCommand } from './cli/serve.ts'

/** A command reads its own arguments, says what it did, and answers an exit code; undefined keeps the process running. */
type Command = { readonly words: string; run(args: string[]): Promise<number | undefined> }

const COMMANDS: Record<string, Command> = {
  serve: { words: 'serve the API and the page', run: serveCommand },
  dev: { words: 'serve with a demo account, for trying out (what npm start does)', run: devCommand },
  migrate: { words: 'bring the database up to date and stop', run: migrateCommand },
  accounts: { words: 'add | list | disable | set-password', run: accountsCommand },
  bookings: { words: 'list | show | settle | resolve', run: operateBookings },
  vendors: { words: 'list | check: which vendors are connected, and whether they answer', run: operateVendors },
  content: { words: 'sync: read the vendors’ content into the catalogue', run: operateContent },
  catalogue: { words: 'explain | join | split: which vendors’ properties are one building', run: operateCatalogue },
  backup: { words: 'FILE: copy the running SQLite database', run: backupCommand },
  restore: { words: 'FILE: put a backup in place of the SQLite database', run: restoreCommand },
}

const [name = 'help', ...args] = process.argv.slice(2)
const command = COMMANDS[name]

if (command === undefined) {
  const lines = Object.entries(COMMANDS).map(([key, { words }]) => `  serai ${key.padEnd(10)} ${words}`)
  console.log(['Serai, a hotel-booking aggregator.', '', ...lines].join('\n'))
  process.exitCode = name === 'help' || name === '--help' ? 0 : 2
} else {
  try {
    const code = await command.run(args)
    if (code !== undefined) process.exitCode = code
  } catch (error) {
    console.error(explainFailure(error))
    process.exit(1)
  }
}
