import type { ExchangeRates } from '../domain/money/exchange.ts'
import { addDays } from '../lib/time/plain-date.ts'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'
import { claimTask, postponeTask, readTask, type Task } from '../store/tasks.ts'
import { upsert } from '../store/upsert.ts'

export type StoredRates = ExchangeRates & {
  readonly firstReadAt: number
  readonly readAt: number
  readonly acceptedAt: number | undefined
}

export type RatesStore = ReturnType<typeof createRatesStore>

const KEPT_DAYS = 400
const TASK = { kind: 'rates', subject: 'read' } as const

const toStored = ({ day, rates, first_read_at, read_at, accepted_at }: Tables['exchange_rates']): StoredRates => ({
  date: day,
  rates: JSON.parse(rates),
  firstReadAt: first_read_at,
  readAt: read_at,
  acceptedAt: accepted_at ?? undefined,
})

/** Published rates of one source, shared by all nodes. */
export function createRatesStore(database: Database, source: string) {
  const newestFirst = () =>
    database.read
      .selectFrom('exchange_rates')
      .selectAll()
      .where('source', '=', source)
      .orderBy('day', 'desc')
      .orderBy('first_read_at', 'desc')
      .limit(1)
  return {
    async accepted(): Promise<StoredRates | undefined> {
      const row = await newestFirst().where('accepted_at', 'is not', null).executeTakeFirst()
      return row && toStored(row)
    },

    /** The newest publication, if it waits for a confirmation. */
    async pending(): Promise<StoredRates | undefined> {
      const row = await newestFirst().executeTakeFirst()
      return row === undefined || row.accepted_at !== null ? undefined : toStored(row)
    },

    save: ({ date, rates, firstReadAt, readAt, acceptedAt }: StoredRates): Promise<void> =>
      database.write(async (tx) => {
        const row = {
          day: date,
          source,
          rates: JSON.stringify(rates),
          first_read_at: firstReadAt,
          read_at: readAt,
          accepted_at: acceptedAt ?? null,
        }
        await upsert(tx, 'exchange_rates', ['source', 'day', 'first_read_at'], [row])
        await tx.deleteFrom('exchange_rates').where('day', '<', addDays(date, -KEPT_DAYS)).execute()
      }),

    /** Undefined if reading is not due, or another process is reading. */
    claim: (now: number, leaseMs: number): Promise<Task | undefined> =>
      database.write((tx) => claimTask(tx, TASK, now, leaseMs)),

    /** `failure`: why the source could not be read. */
    release: (task: Task, dueAt: number, failure: string | undefined): Promise<boolean> =>
      database.write((tx) =>
        postponeTask(tx, task, dueAt, { failed: failure !== undefined, payload: failure ?? null }),
      ),

    async schedule(): Promise<{ readonly nextAt: number; readonly failure: string | undefined } | undefined> {
      const task = await readTask(database.read, TASK)
      return task && { nextAt: task.due_at, failure: task.payload ?? undefined }
    },
  }
}
