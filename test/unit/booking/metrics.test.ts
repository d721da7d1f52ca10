import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { addBookingMetrics } from '../../../src/booking/metrics.ts'
import { BOOKING_STATES } from '../../../src/domain/booking/booking.ts'
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
