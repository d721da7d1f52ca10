import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { assertIntact } from '../../src/store/backup.ts'

const ROUNDS = 8

/** The child adds accounts as fast as it can and prints each number after its commit. */
function writeUntilKilled(path: string, from: number, afterMs: number): Promise<number> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../support/store/write-accounts.ts'), path, String(from)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let last = from
  let started = false
  child.stdout.on('data', (chunk: Buffer) => {
    // The timer starts at the first write, so that every round writes something after a slow start.
    if (!started) setTimeout(() => child.kill('SIGKILL'), afterMs)
    started = true
    const lines = chunk
      .toString()
      .split('\n')
      .filter((line) => line !== '')
    last = Math.max(last, ...lines.map(Number).filter(Number.isSafeInteger))
  })
  return new Promise((done) => child.once('exit', () => done(last)))
}

test('kill -9 while writing loses no acknowledged write and leaves an intact database file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'serai-crash-'))
  const path = join(folder, 'crash.db')
  let acknowledged = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const last = await writeUntilKilled(path, acknowledged, 20 + round * 17)
    expect(last).toBeGreaterThan(acknowledged)
    acknowledged = last
    assertIntact(path)
    const database = new DatabaseSync(path)
    const kept = database
      .prepare('select count(*) as n from accounts where cast(substr(id, 5) as integer) <= ?')
      .get(acknowledged)
    expect(kept?.n).toBe(acknowledged)
    database.close()
  }
  rmSync(folder, { recursive: true, force: true })
})
