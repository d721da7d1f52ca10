#!/usr/bin/env node
import { EXIT } from './exit-codes.ts'
import { runSeraiApi } from './run-serai-api.ts'

// A closed pipe (`| head`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})
process.on('SIGINT', () => process.exit(EXIT.interrupted))
process.exitCode = await runSeraiApi(process.argv.slice(2))
