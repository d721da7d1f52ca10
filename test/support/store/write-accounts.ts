import { writeSync } from 'node:fs'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrations.ts'

/** Adds accounts until it is killed: `write-accounts.ts FILE FROM`. Each number is printed after its commit. */
const [path = '', from = '0'] = process.argv.slice(2)
const database = openDatabase({ kind: 'sqlite', path })
await migrate(database)
const accounts = createAccountStore(database)
for (let number = Number(from) + 1; number < 1_000_000; number += 1) {
  await accounts.add({
    id: `acc_${number}`,
    email: `n${number}@example.com`,
    name: 'x'.repeat(500),
    passwordHash: 'h',
    createdAt: number,
    disabledAt: undefined,
    role: 'client',
  })
  // `add` changes nothing if an earlier run was killed between the commit and the print.
  writeSync(1, `${number}\n`)
}
