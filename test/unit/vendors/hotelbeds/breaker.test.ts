import { expect, test } from 'vitest'
import { isRefusal } from '../../../../src/vendors/hotelbeds/index.ts'
import type { Reply } from '../../../../src/vendors/transport/call.ts'
import { createGuard } from '../../../../src/vendors/transport/guard.ts'

const reply = (code: string): Reply => ({
  status: 500,
  headers: {},
  body: { error: { code, message: 'Insufficient allotment' } },
})

const context = { signal: new AbortController().signal, requestId: 'test' }

test('refusals with status 500 do not open the breaker', async () => {
  const guard = createGuard('book', 8, isRefusal)
  for (let count = 0; count < 60; count += 1)
    await guard.run('hotelbeds', context, async () => reply('PRODUCT_ERROR-abc'))
  expect(guard.state()).toBe('closed')
})

test('server errors open the breaker', async () => {
  const guard = createGuard('book', 8, isRefusal)
  for (let count = 0; count < 60; count += 1) {
    await guard.run('hotelbeds', context, async () => reply('SYSTEM_ERROR-abc')).catch(() => undefined)
  }
  expect(guard.state()).toBe('open')
})
