import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { addBookingMetrics } from '../../../src/booking/metrics.ts'
import { BOOKING_STATES } from '../../../src/domain/booking/booking.ts'
import { addMetrics } from '../../../src/http/middleware/metrics.ts'
import { addMailMetrics } from '../../../src/mail/metrics.ts'
import { addRatesMetrics } from '../../../src/rates/metrics.ts'
import { addTaskMetrics } from '../../../src/store/task-metrics.ts'
import type { OverdueTasks } from '../../../src/store/tasks.ts'
import { manualClock } from '../../support/time/clock.ts'

type Figures = {
  byState: Record<string, number>
  simulatedByState: Record<string, number>
  oldestDoubtSince: number | undefined
}

function gauges(first: Partial<Figures> = {}) {
  const clock = manualClock()
  const registry = new Registry()
  const state = { reads: 0, fails: false, bugs: [] as unknown[] }
  let figures: Figures = {
    byState: {},
    simulatedByState: {},
    oldestDoubtSince: undefined,
    ...first,
  }
  const tasks: OverdueTasks[] = []
  addTaskMetrics(registry, {
    clock,
    onBug: () => undefined,
    overdue: async () => (state.fails ? Promise.reject(new Error('database gone')) : tasks),
  })
  addBookingMetrics(registry, {
    clock,
    onBug: (error) => state.bugs.push(error),
    bookings: {
      async figures() {
        state.reads += 1
        if (state.fails) throw new Error('database gone')
        return figures
      },
    },
  })
  return {
    clock,
    registry,
    state,
    tasks,
    set: (next: Partial<Figures>) => {
      figures = { ...figures, ...next }
    },
    async scrape() {
      const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]))
    },
  }
}

describe('booking metrics', () => {
  test('every state has a series, even if it is empty, so that no alert loses its data', async () => {
    const { scrape } = gauges({
      byState: { confirmed: 7, needs_review: 1 },
      simulatedByState: { confirmed: 9 },
    })
    const scraped = await scrape()
    for (const state of BOOKING_STATES)
      expect(scraped).toHaveProperty([`serai_bookings{state="${state}",simulated="false"}`])
    expect(scraped['serai_bookings{state="confirmed",simulated="false"}']).toBe('7')
    expect(scraped['serai_bookings{state="confirmed",simulated="true"}'], 'simulated ones apart').toBe('9')
    expect(scraped['serai_bookings{state="pending",simulated="false"}']).toBe('0')
    expect(scraped.serai_booking_doubt_oldest_seconds).toBe('0')
  })

  test('waiting tasks are counted by kind, and the age of the oldest grows with the clock', async () => {
    const { scrape, clock, tasks, set } = gauges()
    const now = clock.now()
    set({ oldestDoubtSince: now - 90_000 })
    tasks.push({ kind: 'read', overdue: 3, overdueSince: now - 7_200_000, failing: 1, failingSince: now - 9_000_000 })
    tasks.push({ kind: 'settle', overdue: 0, overdueSince: undefined, failing: 0, failingSince: undefined })
    expect(await scrape()).toMatchObject({
      serai_booking_doubt_oldest_seconds: '90',
      'serai_tasks_overdue{kind="read"}': '3',
      'serai_tasks_overdue_seconds{kind="read"}': '7200',
      'serai_tasks_failing{kind="read"}': '1',
      'serai_tasks_failing_seconds{kind="read"}': '9000',
      'serai_tasks_overdue{kind="settle"}': '0',
      'serai_tasks_overdue_seconds{kind="settle"}': '0',
    })
    clock.advance(15_000)
    expect(await scrape()).toMatchObject({
      serai_booking_doubt_oldest_seconds: '105',
      'serai_tasks_overdue_seconds{kind="read"}': '7215',
    })
  })

  test('scrapes in quick succession read the database once', async () => {
    const { scrape, clock, state } = gauges()
    await Promise.all([scrape(), scrape()])
    expect(state.reads).toBe(1)
    clock.advance(4_999)
    await scrape()
    expect(state.reads).toBe(1)
    clock.advance(1)
    await scrape()
    expect(state.reads).toBe(2)
  })

  test('while the database cannot be read, the metrics page still loads, without booking figures', async () => {
    const { scrape, clock, state } = gauges({ byState: { confirmed: 7 } })
    await scrape()
    state.fails = true
    clock.advance(10_000)
    expect(await scrape()).toEqual({})
    expect(state.bugs).toHaveLength(1)
    state.fails = false
    expect(await scrape()).toMatchObject({ 'serai_bookings{state="confirmed",simulated="false"}': '7' })
  })
})

describe('deploy/alerts.yaml', () => {
  type Rule = { alert: string; expr: string; labels?: object; annotations?: { summary?: string; description?: string } }
  const file = readFileSync(join(import.meta.dirname, '../../../deploy/alerts.yaml'), 'utf8')
  const rules = (parse(file) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules)

  /** Series selectors of an expression: names that are not functions, with their labels. */
  function parseSelectors(expr: string): { name: string; labels: string[] }[] {
    const words = expr.matchAll(/\b([a-z_][a-z0-9_]*)\s*(\(|\{[^}]*\})?/gi)
    return [...words]
      .filter(([, name = '', after = '']) => !after.startsWith('(') && name.includes('_'))
      .map(([, name = '', after = '']) => ({
        name,
        labels: [...after.matchAll(/(\w+)\s*[=!]~?/g)].map((m) => m[1] ?? ''),
      }))
  }

  test('every metric and label in deploy/alerts.yaml is exported by the service', async () => {
    const { registry, tasks } = gauges()
    tasks.push({ kind: 'settle', overdue: 0, overdueSince: undefined, failing: 0, failingSince: undefined })
    const app = Fastify()
    addMetrics(app, registry)
    addMailMetrics(registry)
    addRatesMetrics(registry, { ageMs: () => 0 })
    app.get('/x', async () => 'x')
    await app.inject({ url: '/x' })
    const exported = await registry.metrics()
    await app.close()

    const asked = rules.flatMap(({ expr }) => parseSelectors(expr))
    expect(new Set(asked.map(({ name }) => name))).toEqual(
      new Set([
        'serai_booking_doubt_oldest_seconds',
        'serai_bookings',
        'serai_tasks_overdue_seconds',
        'serai_tasks_failing_seconds',
        'serai_mail_attempts_total',
        'serai_exchange_rates_age_seconds',
        'http_server_request_duration_seconds_count',
      ]),
    )
    for (const { name, labels } of asked) {
      const series = exported.split('\n').find((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      expect(series, name).toBeDefined()
      for (const label of labels) expect(series).toContain(`${label}="`)
    }
  })

  test('every alert rule has a unique name, a severity and a description of what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const rule of rules) {
      expect(rule.labels, rule.alert).toHaveProperty('severity')
      expect(rule.annotations?.summary, rule.alert).toBeTruthy()
      expect(rule.annotations?.description, rule.alert).toBeTruthy()
    }
  })
})
