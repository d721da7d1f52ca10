import { beforeEach, expect, test } from 'vitest'
import { randomIds } from '../../src/lib/ids.ts'
import { deriveKeyring } from '../../src/lib/keyring.ts'
import { createMcpHandles } from '../../src/store/mcp-handles.ts'
import { onBothDatabases } from '../support/store/databases.ts'
import { manualClock } from '../support/time/clock.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'mcp')
const HOUR = 3_600_000

onBothDatabases('ids of agents', (open) => {
  let clock: ReturnType<typeof manualClock>
  beforeEach(() => {
    clock = manualClock()
  })
  const handles = () => createMcpHandles(open(), keyring, { clock, ids: randomIds })

  test('an id stands for what it was made for, for its own account and kind alone', async () => {
    const expiresAt = clock.now() + HOUR
    const [first = '', second = ''] = await handles().add('acc_1', 'off', [
      { content: { a: 1 }, expiresAt },
      { content: { a: 2 }, expiresAt },
    ])
    expect(await handles().read('acc_1', 'off', first)).toEqual({ content: { a: 1 }, isExpired: false })
    expect(await handles().read('acc_1', 'off', second)).toEqual({ content: { a: 2 }, isExpired: false })
    expect(await handles().read('acc_2', 'off', first)).toBeUndefined()
    expect(await handles().read('acc_1', 'prp', first)).toBeUndefined()
    for (const odd of ['', 'off_', 'off_\u0000', `off_${'x'.repeat(500)}`, "off_' or 1=1"])
      expect(await handles().read('acc_1', 'off', odd)).toBeUndefined()
  })

  test('what it stands for cannot be read in the database', async () => {
    await handles().add('acc_1', 'prp', [{ content: { guest: 'Lovelace' }, expiresAt: clock.now() + HOUR }])
    const rows = await open().read.selectFrom('mcp_handles').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('Lovelace')
  })

  test('one that has expired says so for a day, and is deleted then', async () => {
    const [id = ''] = await handles().add('acc_1', 'off', [{ content: {}, expiresAt: clock.now() + HOUR }])
    clock.turn(2 * HOUR)
    while ((await handles().deleteExpired()) > 0);
    expect(await handles().read('acc_1', 'off', id)).toEqual({ content: {}, isExpired: true })
    clock.turn(24 * HOUR)
    while ((await handles().deleteExpired()) > 0);
    expect(await handles().read('acc_1', 'off', id)).toBeUndefined()
  })
})
