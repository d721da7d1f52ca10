import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../../sandbox/server/faults.ts'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { type SearchAnswer, type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { measure } from '../../support/time/measure.ts'

/** Documented tolerance beyond `timeout_ms`. */
const TOLERANCE_MS = 150

type Disturbance = {
  readonly fault: Omit<Fault, 'operation'>
  readonly status: 'timeout' | 'error'
  /** Time that a search needs to see this fault. */
  readonly readMs?: number
}
const DISTURBANCES: Record<string, Disturbance> = {
  hangs: { fault: { kind: 'hang' }, status: 'timeout' },
  'drips a byte at a time': { fault: { kind: 'drip', ms: 20 }, status: 'timeout' },
  'is slow': { fault: { kind: 'latency', ms: 5_000 }, status: 'timeout' },
  'resets the connection': { fault: { kind: 'reset_before' }, status: 'error' },
  'resets the connection after its work': { fault: { kind: 'reset_after' }, status: 'error' },
  'answers 500': { fault: { kind: 'error_before' }, status: 'error' },
  'answers 429': { fault: { kind: 'throttle', ms: 1 }, status: 'error' },
  'answers with a truncated body': { fault: { kind: 'truncate' }, status: 'error' },
  'answers with HTML': { fault: { kind: 'html' }, status: 'error' },
  // Reading takes until the limit of 16 MiB.
  'answers with 50 MB': { fault: { kind: 'huge' }, status: 'error', readMs: 2_000 },
}

let app: SearchApp
let nights = 0
beforeAll(async () => {
  app = await searchApp()
  await searchUntilComplete(app)
})
afterAll(() => app.close())
afterEach(async () => {
  await app.clearFaults()
  // Until the vendor's retry-after has passed.
  app.clock.advance(2_000)
})

/** A stay that has not been searched yet, so that no cached response exists. */
function freshStay() {
  nights += 1
  return { check_in: app.day(50 + nights), check_out: app.day(52 + nights), timeout_ms: 700 }
}

describe.each(STAND_IN_IDS)('a search while %s fails', (down) => {
  const up = STAND_IN_IDS.filter((id) => id !== down)

  test.each(Object.entries(DISTURBANCES))(
    'a vendor that %s affects only its own offers, and the search keeps its deadline',
    async (_, trouble) => {
      const fresh = freshStay()
      const startedAt = performance.now()
      const alone = await app.search({ ...fresh, vendors: up, timeout_ms: 15_000 })
      // Longer on a machine on which healthy vendors need longer, but too short for a slow one.
      const neededMs = Math.round(3 * (performance.now() - startedAt))
      const timeoutMs = Math.max(fresh.timeout_ms, neededMs, trouble.readMs ?? 0)
      const stay = { ...fresh, timeout_ms: Math.min(4_000, timeoutMs) }
      await app.sandbox.control[down].addFaults({ ...trouble.fault, operation: '*' })

      const { value, ms } = await measure(() => app.search(stay))
      expect(ms).toBeLessThan(stay.timeout_ms + TOLERANCE_MS)
      expect(value.availability).toEqual(alone.availability)
      expect(value.partial).toBe(true)
      expect(Object.fromEntries(value.vendors.map(({ vendor_id, status }) => [vendor_id, status]))).toEqual({
        ...Object.fromEntries(up.map((id) => [id, 'ok'])),
        [down]: trouble.status,
      })
      // An abandoned request must not keep its connection.
      if (trouble.status === 'timeout') await waitFor(() => app.traffic.busySockets(down) === 0)
    },
  )
})

describe('the first search of an area with a failing vendor', () => {
  test('a vendor whose content request hangs is reported, and the search keeps its deadline', async () => {
    await app.sandbox.control.expedia_rapid.addFaults({ kind: 'hang', operation: '*' })
    const fields = { destination_id: await destination('Hallstatt'), timeout_ms: 2_500 }
    const { value, ms } = await measure(() => app.search(fields))
    expect(ms).toBeLessThan(2_500 + TOLERANCE_MS)
    expect(statuses(value)).toEqual(STAND_IN_IDS.map((id) => [id, id === 'expedia_rapid' ? 'timeout' : 'ok']))
    expect(value.vendors[0]?.properties).toBe(0)
    expect(value.vendors[0]?.took_ms).toBeGreaterThan(1_200)
    expect(value.availability.length).toBeGreaterThan(0)
    expect(value.partial).toBe(true)
  })

  test('a vendor whose content request fails is reported as failed, not as empty', async () => {
    await app.sandbox.control.hotelbeds.addFaults({ kind: 'error_before', operation: '*' })
    const value = await app.search({ destination_id: await destination('Banff'), timeout_ms: 5_000 })
    expect(statuses(value)).toEqual(STAND_IN_IDS.map((id) => [id, id === 'hotelbeds' ? 'error' : 'ok']))
    expect(value.partial).toBe(true)
  })

  test('a search in which every vendor hangs returns 504 within the deadline', async () => {
    for (const id of STAND_IN_IDS) await app.sandbox.control[id].addFaults({ kind: 'hang', operation: '*' })
    const fields = { destination_id: await destination('Mykonos'), timeout_ms: 600 }
    const { value, ms } = await measure(() => app.post(fields))
    expect(ms).toBeLessThan(600 + TOLERANCE_MS)
    expect(value.json()).toMatchObject({ status: 504, code: 'vendor_timeout' })
  })
})

test('the breaker opens for a vendor that keeps failing, without affecting the others', async () => {
  await app.sandbox.control.hotelbeds.addFaults({ kind: 'error_before', operation: '*' })
  for (let i = 0; i < 30; i += 1) {
    const value = await app.search({ ...freshStay(), timeout_ms: 15_000 })
    expect(statuses(value)).toEqual(STAND_IN_IDS.map((id) => [id, id === 'hotelbeds' ? 'error' : 'ok']))
  }
  app.traffic.reset()
  await app.search({ ...freshStay(), timeout_ms: 15_000 })
  expect(app.traffic.calls('hotelbeds')).toEqual([])
  expect(app.traffic.calls('expedia_rapid')).toHaveLength(1)
})

const statuses = ({ vendors }: SearchAnswer) => vendors.map(({ vendor_id, status }) => [vendor_id, status])

async function destination(name: string): Promise<string> {
  const answer = await app.get(`/api/locations/search?starts_with=${name}`)
  return answer.json().data[0].id
}

async function waitFor(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !condition(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(condition()).toBe(true)
}
