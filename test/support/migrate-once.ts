import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrations.ts'
import { turnableClock } from './clock.ts'

/** Migrates one SQLite file and prints each step it took: `migrate-once.ts FILE`. */
const database = openDatabase({ kind: 'sqlite', path: process.argv[2] ?? '' })
for (const step of await migrate(database, turnableClock())) console.log(step)
await database.close()
