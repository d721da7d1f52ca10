import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addAccounts, collectOffers, createApiClient, fetchToken } from '../../chaos/crash/api-client.ts'
import { findDurabilityFlaws, readTrace, type TracedCall } from '../../chaos/crash/trace.ts'
import { STAND_IN_IDS } from '../../sandbox/stand-ins.ts'
import { freePort } from '../support/servers/postgres.ts'
import { openSmallStage, sleep, spawnServer } from '../support/servers/server-process.ts'

const hasStrace = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0
if (!hasStrace)
  console.warn('SKIPPED, durability is not proven: strace is missing or may not trace (apt-get install strace).')
const WATCHED = 'trace=fsync,fdatasync,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg'

const MARKS = {
  order: /"POST \/v3\/itineraries|"POST \/hotel-api\/[\d.]+\/bookings|"POST \/v3\.0\/rates\/book/,
  answer: /"HTTP\/1\.1 20[12] /,
}

test('strace is available in CI', () => {
  expect(hasStrace || process.env.CI !== 'true').toBe(true)
})

describe.skipIf(!hasStrace)('system calls of a booking on SQLite', () => {
  test('a booking is synced before the vendor is called, and its outcome before the client is answered', async () => {
    const stage = await openSmallStage('durable')
    const trace = join(stage.dataDir, 'strace.txt')
    const env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir }
    await addAccounts(env)
    const port = await freePort()
    const under = ['strace', '-f', '-ttt', '-y', '-s', '60', '-e', WATCHED, '-o', trace]
    const server = spawnServer({ dataDir: stage.dataDir, port, env, under })
    try {
      await server.ready
      const client = createApiClient(server.url, await fetchToken(server.url))
      const offers = await collectOffers(client, 60)
      for (const vendorId of STAND_IN_IDS) {
        const offer = offers.find((candidate) => candidate.vendorId === vendorId)
        await sleep(300)
        const from = readFileSync(trace).length
        const answer = await client.book(offer?.info, `durable-${vendorId}`)
        expect(answer.status).toBe(201)
        const calls = await readTraceFrom(trace, from)
        expect(findDurabilityFlaws(calls)).toEqual([])
        // The submission and the outcome are two commits.
        expect(calls.filter(({ kind }) => kind === 'sync').length).toBeGreaterThanOrEqual(2)
      }
    } finally {
      await server.stop()
      await stage.close()
    }
  })
})

/** Reads the trace from this offset once it contains the answer; strace writes with a delay. */
async function readTraceFrom(path: string, from: number): Promise<TracedCall[]> {
  for (let tries = 0; tries < 50; tries += 1) {
    const text = readFileSync(path).subarray(from).toString('latin1')
    const calls = readTrace(text, MARKS)
    if (calls.some(({ kind }) => kind === 'answer')) return calls
    await sleep(100)
  }
  throw new Error('the answer is not in the trace')
}

describe('the durability check', () => {
  const wal = '</tmp/x/serai.db-wal>'
  const write = `77 1700000000.1 pwrite64(37${wal}, "x"..., 4096, 32) = 4096`
  const sync = `77 1700000000.2 fdatasync(37${wal}) = 0`
  const failed = `77 1700000000.2 fdatasync(37${wal}) = -1 EIO (Input/output error)`
  const elsewhere = sync.replace('77', '78')
  const order = '77 1700000000.3 write(41<socket:[9]>, "POST /v3/itineraries?token=x HTTP/"..., 900) = 900'
  const answer =
    '77 1700000000.9 writev(40<socket:[8]>, [{iov_base="HTTP/1.1 201 Created\\r\\n"..., iov_len=9}], 2) = 9'
  const flaws = (...lines: string[]) => findDurabilityFlaws(readTrace(lines.join('\n'), MARKS))

  test('the durability check accepts commits that come first', () => {
    expect(flaws(write, sync, order, write, sync, answer)).toEqual([])
  })

  test.each([
    ['the intent is synced after the order', [write, order, sync, write, sync, answer]],
    ['the sync of the intent failed', [write, failed, order, write, sync, answer]],
    ['another thread synced something', [write, elsewhere, order, write, sync, answer]],
    ['the order goes out with nothing written', [sync, order, write, sync, answer]],
    ['the outcome is synced after the answer', [write, sync, order, write, answer, sync]],
    ['the outcome is never written', [write, sync, order, answer]],
    ['the vendor is never asked', [write, sync, answer]],
  ])('the durability check reports that %s', (_name, lines) => {
    expect(flaws(...lines)).toHaveLength(1)
  })
})
