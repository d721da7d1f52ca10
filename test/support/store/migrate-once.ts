import { openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'

/** Migrates one SQLite file and prints each step: `migrate-once.ts FILE`. */
const database = openDatabase({ kind: 'sqlite', path: process.argv[2] ?? '' })
for (const step of await migrate(database)) console.log(step)
await database.close()
