import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readPageConfig } from '../../../web/src/session/page-config.ts'

let preloaded: string | null = null
beforeEach(() => {
  preloaded = null
  vi.stubGlobal('document', { querySelector: () => preloaded && { getAttribute: () => preloaded } })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const config = { guests: 'book', session: { account: { id: 'acc_1' } } }
const answering = (...answers: (() => Promise<Response>)[]) => {
  const fetched = vi.fn(() => answers[Math.min(fetched.mock.calls.length, answers.length) - 1]?.() ?? Promise.reject())
  vi.stubGlobal('fetch', fetched)
  return fetched
}
const lost = () => Promise.reject(new TypeError('fetch failed'))
const busy = async () => new Response('', { status: 503 })
const cut = async () => new Response('{"guests"')

test('a failed read of the session is retried', async () => {
  const fetched = answering(lost, busy, cut, async () => Response.json(config))
  expect(await readPageConfig(false, [0, 0, 0])).toEqual(config)
  expect(fetched).toHaveBeenCalledTimes(4)
})

test.each([
  ['no answer', lost],
  ['a refusal', busy],
  ['half an answer', cut],
])('a permanent failure does not count as signed out: %s', async (_, answer) => {
  const fetched = answering(answer)
  await expect(readPageConfig(false, [0, 0])).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  expect(fetched).toHaveBeenCalledTimes(3)
})

test('only a session that has not changed since the page was requested is read from the preloaded file', async () => {
  const fetched = answering(async () => Response.json(config))
  const readAddresses = () => (fetched.mock.calls as unknown[][]).map(([address]) => address)
  await readPageConfig()
  preloaded = '/page-config.json?guest'
  await readPageConfig()
  expect(readAddresses()).toEqual(['/page-config.json', '/page-config.json?guest'])
  await readPageConfig(true)
  expect(readAddresses()[2], 'starts no session').toBe('/page-config.json?changed')
})
