import { expect, test } from 'vitest'
import type { Reply } from '../../../../src/vendors/call.ts'
import { createGuard } from '../../../../src/vendors/guard.ts'
import { isRefusal } from '../../../../src/vendors/hotelbeds/index.ts'

const reply = (code: string): Reply => ({
  status: 500,
  headers: {},
  body: { error: { code, message: 'Insufficient allotment' } },
})

test('a vendor that says no with 500, again and again, is not taken for unwell', async () => {
  const guard = createGuard('book', 8, isRefusal)
  for (let at = 0; at < 60; at += 1) await guard.run('hotelbeds', async () => reply('PRODUCT_ERROR-abc'))
  expect(guard.state()).toBe('closed')
})

test('real trouble opens the breaker', async () => {
  const guard = createGuard('book', 8, isRefusal)
  for (let at = 0; at < 60; at += 1) {
    await guard.run('hotelbeds', async () => reply('SYSTEM_ERROR-abc')).catch(() => undefined)
  }
  expect(guard.state()).toBe('open')
})
