#!/usr/bin/env -S node --max-semi-space-size=16
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { runSerai } from './run-serai.ts'

// Speeds up later starts. Has no effect if the folder is not writable.
enableCompileCache(join(import.meta.dirname, '../..', '.runtime', 'compiled'))

try {
  process.exitCode = await runSerai(process.argv.slice(2))
} catch (error) {
  const { explainFailure } = await import('../process/explain-failure.ts')
  console.error(explainFailure(error))
  process.exit(1)
}
