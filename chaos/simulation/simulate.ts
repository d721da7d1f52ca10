import fc from 'fast-check'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrations.ts'
import type { History } from './history.ts'
import { findViolations } from './invariants.ts'
import { cardScenarios } from './payments/card-scenario.ts'
import type { PlantedBug } from './planted-bugs.ts'
import { lossScenarios, type Scenario, scenarios } from './scenario.ts'
import type { Violation } from './violation.ts'
import { play } from './world.ts'

type SimulationOptions = {
  readonly runs: number
  readonly seed: number
  readonly planted?: PlantedBug
  /** The database loses commits in every scenario. */
  readonly losesCommits?: boolean
  /** Called after each run. */
  readonly onRun?: (history: History) => void
  /** Reduces a failing scenario to the smallest one that still fails. */
  readonly shrink?: boolean
  /** The first account pays by card. */
  readonly cards?: boolean
}

type SimulationResult = {
  readonly runs: number
  /** Undefined if no run broke an invariant. */
  readonly failure: { readonly violations: readonly Violation[]; readonly message: string } | undefined
}

class InvariantError extends Error {
  readonly violations: readonly Violation[]
  constructor(violations: readonly Violation[], history: History) {
    const lines = violations.map(({ name, message }) => `${name.toUpperCase()}: ${message}`)
    super([...lines, 'Log:', ...history.log].join('\n'))
    this.violations = violations
  }
}

/** Runs scenarios until one breaks an invariant or all are done. The same seed gives the same scenarios. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const database = openDatabase({ kind: 'sqlite', path: ':memory:' })
  try {
    await migrate(database)
    const { planted, losesCommits = planted?.needsLoss === true } = options
    const worlds =
      options.cards === true || planted?.cards !== undefined ? cardScenarios : losesCommits ? lossScenarios : scenarios
    const property = fc.asyncProperty(worlds, (scenario) => checkScenario(database, scenario, options))
    const details = await fc.check(property, {
      numRuns: options.runs,
      seed: options.seed,
      endOnFailure: options.shrink !== true,
    })
    if (!details.failed) return { runs: details.numRuns, failure: undefined }
    const error = details.errorInstance
    const location = `seed ${options.seed}, path ${details.counterexamplePath}`
    const message = `${location}\n${JSON.stringify(details.counterexample)}\n${error instanceof Error ? error.stack : error}`
    return {
      runs: details.numRuns,
      failure: { violations: error instanceof InvariantError ? error.violations : [], message },
    }
  } finally {
    await database.close()
  }
}

async function checkScenario(
  database: Database,
  scenario: Scenario,
  { planted, onRun }: SimulationOptions,
): Promise<void> {
  const history = await play(database, scenario, planted)
  const violations = await findViolations(history)
  if (violations.length > 0) throw new InvariantError(violations, history)
  onRun?.(history)
}
