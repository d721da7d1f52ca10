import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createExchangeRates } from '../../src/rates/exchange-rates.ts'
import { fetchRates } from '../../src/rates/fetch-rates.ts'
import { createRatesStore } from '../../src/rates/store.ts'
import { ecbFile } from '../support/http/ecb-file.ts'
import { replyHtml, scriptedServer } from '../support/http/scripted-server.ts'
import { onBothDatabases } from '../support/store/databases.ts'
import { manualClock } from '../support/time/clock.ts'

const HOUR = 3_600_000
const fallback = {
  source: 'the file',
  date: '2026-09-29',
  rates: { EUR: 1, USD: 1.14, JPY: 184, GBP: 0.87, CHF: 0.93, SEK: 11, AED: 4.18 },
}
const PUBLISHED = { USD: 1.15, JPY: 185, GBP: 0.88, CHF: 0.94, SEK: 11.1 }

let server: Awaited<ReturnType<typeof scriptedServer>>
beforeAll(async () => {
  server = await scriptedServer()
})
afterAll(() => server.close())

onBothDatabases('exchange rates', (open) => {
  let count = 0
  let source: string
  beforeEach(() => {
    count += 1
    source = `source ${count}`
  })
  const clock = manualClock()
  const today = () => new Date(clock.now()).toISOString().slice(0, 10)
  const publish = (rates: Readonly<Record<string, number>>, day = today()) =>
    server.play((response) => response.end(ecbFile(day, rates)))
  const pendings: string[] = []
  const failures: string[] = []
  const node = () =>
    createExchangeRates({
      source: {
        name: source,
        store: createRatesStore(open(), source),
        download: () => fetchRates(`${server.url}/daily`),
      },
      fallback,
      clock,
      onFailure: (reason) => failures.push(reason),
      onPending: (date) => pendings.push(date),
    })
  const due = () => clock.advance(2 * HOUR)

  test('one node reads the source, and all nodes and later starts use the same rates', async () => {
    publish(PUBLISHED)
    due()
    const [first, second] = [node(), node()]
    expect(first.rates()).toBe(fallback)
    await first.keep()
    await second.keep()
    expect(server.seen()).toHaveLength(1)
    const third = node()
    await third.load()
    for (const { rates } of [first, second, third])
      expect(rates()).toMatchObject({ date: today(), rates: { ...PUBLISHED, EUR: 1, AED: expect.closeTo(4.2167, 4) } })
    expect(await third.status()).toMatchObject({ source, isFallback: false, fromFile: ['AED'], readAt: clock.now() })
    clock.advance(HOUR - 1)
    await second.keep()
    expect(server.seen()).toHaveLength(1)
    clock.advance(1)
    await second.keep()
    expect(server.seen()).toHaveLength(2)
  })

  test('rates that jump by more than 20 % wait until an operator confirms them', async () => {
    const [here, there] = [node(), node()]
    publish(PUBLISHED)
    due()
    await here.keep()
    const before = here.rates()
    publish({ ...PUBLISHED, JPY: 260 })
    due()
    pendings.length = 0
    await here.keep()
    due()
    await here.keep()
    expect(pendings).toEqual([today()])
    expect(here.rates()).toEqual(before)
    const { pending } = await there.status()
    expect(pending).toMatchObject({ date: today(), jumps: [{ currency: 'JPY', before: 185, after: 260 }] })
    await expect(there.confirm('2020-01-01')).rejects.toMatchObject({ code: 'not_possible' })
    await there.confirm(today())
    await here.keep()
    expect(here.rates().rates.JPY).toBe(260)
    expect((await here.status()).pending).toBeUndefined()
    await expect(there.confirm(today())).rejects.toMatchObject({ code: 'not_possible' })
    due()
    await here.keep()
    expect(here.rates().rates.JPY, 'confirmed rates stay in use when they are read again').toBe(260)
  })

  test('a source that fails, is old or is from the future changes nothing, and is tried again after ten minutes', async () => {
    const here = node()
    publish(PUBLISHED)
    due()
    await here.keep()
    const before = here.rates()
    failures.length = 0
    for (const play of [
      () => server.play(replyHtml(503)),
      () => server.play(replyHtml(200)),
      () => server.play((response) => response.destroy()),
      () => publish(PUBLISHED, '2026-10-01'),
      () => publish(PUBLISHED, '2040-01-02'),
    ]) {
      play()
      clock.advance(HOUR)
      await here.keep()
    }
    expect(failures).toEqual([
      expect.stringContaining('status 503'),
      expect.stringContaining('no day'),
      expect.stringContaining('cannot be reached'),
      expect.stringContaining('old rates'),
      expect.stringContaining('future'),
    ])
    expect(here.rates()).toEqual(before)
    expect(await here.status()).toMatchObject({ failure: failures[4], nextAt: clock.now() + 600_000 })
    publish(PUBLISHED)
    clock.advance(600_000)
    await here.keep()
    expect((await here.status()).failure).toBeUndefined()
  })

  test('an operator can have the source read at once, and learns why it could not be', async () => {
    const here = node()
    publish(PUBLISHED)
    await here.renew()
    expect(here.rates().date).toBe(today())
    server.play(replyHtml(500))
    await expect(here.renew()).rejects.toMatchObject({ code: 'not_possible', message: expect.stringContaining('500') })
  })

  test('without a source the file of the release is used and nothing can be renewed', async () => {
    const here = createExchangeRates({ source: undefined, fallback, clock, onFailure() {}, onPending() {} })
    await here.keep()
    expect(here.rates()).toBe(fallback)
    expect(await here.status()).toMatchObject({ source: 'the file', isFallback: true, nextAt: undefined })
    await expect(here.renew()).rejects.toMatchObject({ code: 'not_possible' })
  })
})
