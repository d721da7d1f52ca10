import { describe, expect, test } from 'vitest'
import { createAllotment } from '../../../sandbox/server/allotment.ts'
import { createFaultPlan } from '../../../sandbox/server/fault-plan.ts'
import { serveStandIn } from '../../../sandbox/server/serve-stand-in.ts'
import { createSignedTokens } from '../../../sandbox/server/tokens.ts'
import { STAND_INS } from '../../../sandbox/stand-ins.ts'
import { convertMinor } from '../../../sandbox/world/prices/exchange.ts'
import { CURRENCIES } from '../../../src/domain/money/currency.ts'
import { testWorld } from '../../support/sandbox/vendor-bench.ts'
import { manualClock } from '../../support/time/clock.ts'

describe('fault plan', () => {
  test('a fault affects its operation as often as configured', () => {
    const plan = createFaultPlan(1)
    plan.add({ kind: 'hang', operation: 'book', times: 2 })
    plan.add({ kind: 'latency', operation: '*', ms: 5 })
    const kinds = (operation: string) => plan.next(operation).map(({ kind }) => kind)
    expect([kinds('find'), kinds('book'), kinds('book'), kinds('book')]).toEqual([
      ['latency'],
      ['hang', 'latency'],
      ['hang', 'latency'],
      ['latency'],
    ])
    plan.clear()
    expect(kinds('book')).toEqual([])
  })

  test('a fault with a share is deterministic by seed and affects about that share of calls', () => {
    const hits = (seed: number) => {
      const plan = createFaultPlan(seed)
      plan.add({ kind: 'html', operation: '*', share: 0.3 })
      return Array.from({ length: 1000 }, () => plan.next('x').length)
    }
    const sum = hits(7).reduce((all, hit) => all + hit, 0)
    expect(hits(7)).toEqual(hits(7))
    expect(sum).toBeGreaterThan(240)
    expect(sum).toBeLessThan(360)
  })
})

describe('rates', () => {
  test('every currency survives a conversion to another and back within rounding', () => {
    for (const currency of CURRENCIES) {
      const there = convertMinor(10_000_00, 'USD', currency)
      expect(there).toBeGreaterThan(0)
      expect(Math.abs(convertMinor(there, currency, 'USD') - 10_000_00)).toBeLessThan(10_000)
    }
    expect(convertMinor(12345, 'EUR', 'EUR')).toBe(12345)
  })
})

describe('tokens', () => {
  test('a token is valid only for its kind and time, and if unchanged', () => {
    const clock = manualClock()
    const tokens = createSignedTokens('secret', clock)
    const { token } = tokens.seal('check', { a: 1 }, 1_000)
    expect(tokens.open('check', token)).toEqual({ a: 1 })
    expect(tokens.open('book', token)).toBe('invalid')
    expect(createSignedTokens('other', clock).open('check', token)).toBe('invalid')
    for (const index of [0, 10, token.length - 1]) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      expect(tokens.open('check', changed)).toBe('invalid')
    }
    clock.advance(1_001)
    expect(tokens.open('check', token)).toBe('expired')
    expect([null, '', '.', 'x.y'].map((bad) => tokens.open('check', bad))).toEqual(Array(4).fill('invalid'))
  })
})

test.each(STAND_INS)('$id survives malformed URLs and continues to answer', async (standIn) => {
  const options = { world: testWorld, allotment: createAllotment(), clock: manualClock(), pictureBase: '' }
  const server = serveStandIn(standIn, options)
  const { origin } = await server.listen()
  try {
    for (const path of ['/%E0%A4%A', '/v3.0/bookings/%', '/hotel-api/1.0/bookings/%zz', '/v3/itineraries/%']) {
      const { status, body } = await fetch(`${origin}${path}`)
      expect(status).toBe(400)
      await body?.cancel()
    }
    expect((await fetch(`${origin}/_sandbox/ledger`)).status).toBe(200)
  } finally {
    await server.close()
  }
})
