import type { ListPlan } from '../../../src/lists/plan.ts'
import { runInMemory } from '../../../src/lists/run-in-memory.ts'
import type { Answer, Rec } from './vector.ts'

/** Runs list plans in memory, on SQLite or on PostgreSQL. */
export type Engine = {
  readonly name: string
  run(plan: ListPlan, records: readonly Rec[]): Promise<Answer>
  close(): Promise<void>
}

export const memoryEngine: Engine = {
  name: 'memory',
  async run(plan, records) {
    const { data, meta } = runInMemory(plan, records)
    return { ids: data.map(({ id }) => id), meta }
  },
  async close() {},
}
