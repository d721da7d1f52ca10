import { beforeEach, expect, test } from 'vitest'
import { createMcpHandles } from '../../../src/agents/store.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 3) }], 'mcp')
const HOUR = 3_600_000

onBothDatabases('ids of agents', (open) => {
  let clock: ReturnType<typeof manualClock>
  beforeEach(() => {
    clock = manualClock()
  })
  const handles = () => createMcpHandles(open(), keyring, { clock, ids: randomIds })

  test('a handle is resolved only for its own account and kind', async () => {
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

  test('concurrent changes of one handle apply one after the other, and not to that of another account', async () => {
    const handle = 'ask_1'
    await handles().put('acc_1', handle, { content: { n: 0 }, expiresAt: clock.now() + HOUR })
    const store = handles()
    const add = () => store.change<{ n: number }>('acc_1', 'ask', handle, ({ n }) => (n < 3 ? { n: n + 1 } : undefined))
    await Promise.all([add(), add(), add(), add(), add()])
    expect(await store.read('acc_1', 'ask', handle)).toMatchObject({ content: { n: 3 } })
    await store.change<{ n: number }>('acc_2', 'ask', handle, () => ({ n: 9 }))
    await store.put('acc_2', handle, { content: { n: 9 }, expiresAt: clock.now() + HOUR })
    expect(await store.read('acc_1', 'ask', handle)).toMatchObject({ content: { n: 3 } })
    clock.advance(HOUR)
    await store.change<{ n: number }>('acc_1', 'ask', handle, () => ({ n: 4 }))
    expect(await store.read('acc_1', 'ask', handle)).toEqual({ content: { n: 3 }, isExpired: true })
  })

  test('the content of a handle is encrypted in the database', async () => {
    await handles().add('acc_1', 'prp', [{ content: { guest: 'Lovelace' }, expiresAt: clock.now() + HOUR }])
    const rows = await open().read.selectFrom('mcp_handles').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('Lovelace')
  })

  test.each([
    ['an offer', 'off', HOUR],
    ['a prepared booking', 'prp', 24 * HOUR],
  ] as const)(
    'the handle of %s (%s) is reported as expired for %i ms and then deleted',
    async (_name, kind, keptMs) => {
      const [id = ''] = await handles().add('acc_1', kind, [{ content: {}, expiresAt: clock.now() + HOUR }])
      clock.advance(HOUR + keptMs)
      await handles().deleteExpired()
      expect(await handles().read('acc_1', kind, id)).toEqual({ content: {}, isExpired: true })
      clock.advance(1)
      await handles().deleteExpired()
      expect(await handles().read('acc_1', kind, id)).toBeUndefined()
    },
  )

  test('one call deletes all expired handles in batches and keeps the others', async () => {
    const expired = Array.from({ length: 25 }, () => ({ content: {}, expiresAt: clock.now() - 25 * HOUR }))
    await handles().add('acc_1', 'off', expired)
    await handles().add('acc_1', 'prp', expired)
    const [kept = ''] = await handles().add('acc_1', 'off', [{ content: {}, expiresAt: clock.now() + HOUR }])
    expect(await handles().deleteExpired(10)).toBeGreaterThanOrEqual(50)
    expect(await handles().deleteExpired(10)).toBe(0)
    expect(await handles().read('acc_1', 'off', kept)).toEqual({ content: {}, isExpired: false })
  })
})
