import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from '../../../packages/client/src/index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const booking = (status: string, headers: Record<string, string> = {}) =>
  Response.json({ data: { booking_id: 'bkg_1', status } }, { headers })
const unchanged = () => new Response(null, { status: 304 })

/** Plays the responses; the last one repeats. Also returns the tag that each request sent. */
function createPolled(...responses: (() => Response)[]) {
  const tags: (string | null)[] = []
  const fetch = async (request: Request | URL | string) => {
    tags.push((request as Request).headers.get('if-none-match'))
    return (responses[tags.length - 1] ?? responses.at(-1) ?? Response.error)()
  }
  return { tags, client: createClient({ baseUrl: 'http://serai.example', token: 'srt_test', retries: 0, fetch }) }
}

test('a booking is read again with the tag of its known state, and an answer of 304 means that it is unchanged', async () => {
  const { client, tags } = createPolled(
    () => booking('in_doubt', { etag: '"v1"' }),
    unchanged,
    unchanged,
    () => booking('submitting', { etag: '"v2"' }),
    () => booking('confirmed', { etag: '"v3"' }),
  )
  const settled = client.booking.waitForOutcome({ booking_id: 'bkg_1' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect((await settled).status).toBe('confirmed')
  expect(tags).toEqual([null, '"v1"', '"v1"', '"v1"', '"v2"'])
})

test('if the time is up, the state of the last change is returned', async () => {
  const { client } = createPolled(() => booking('in_doubt', { etag: '"v1"' }), unchanged)
  const waited = client.booking.waitForOutcome({ booking_id: 'bkg_1', forMs: 5_000 })
  await vi.advanceTimersByTimeAsync(5_000)
  expect((await waited).status).toBe('in_doubt')
})

test('without a tag, every read is unconditional, and an answer of 304 is then an error', async () => {
  const { client, tags } = createPolled(
    () => booking('in_doubt'),
    () => booking('in_doubt'),
    unchanged,
  )
  const waited = client.booking.waitForOutcome({ booking_id: 'bkg_1' })
  const failed = expect(waited).rejects.toMatchObject({ status: 304 })
  await vi.advanceTimersByTimeAsync(60_000)
  await failed
  expect(tags).toEqual([null, null, null])
})
