import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, ConfigError } from '../src/config.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { openLocations } from '../src/locations/load-locations.ts'
import { openSandbox } from '../src/process/serve.ts'
import { VENDOR_KINDS } from '../src/vendors/registry.ts'
import type { VendorKind } from '../src/vendors/vendor-kind.ts'
import { isPassed, type Judged, judge, wordsOf, writeDossier } from './dossier.ts'
import { type Faults, playFaults, playJourneys, readContent, type Stage } from './play-samples.ts'
import { createRecorder } from './recorder.ts'
import { createRedact } from './redact.ts'
import type { Evidence, Review } from './review.ts'
import { REVIEWS } from './reviews.ts'
import { takeScreenshots } from './screenshots.ts'
import { type StageOptions, stageConfig, type Work, withStage } from './stage.ts'

export const USAGE = `Usage: npm run certify -- VENDOR --out FOLDER [--live-test-host] [--destination NAME] [--no-screenshots]

Plays the sample bookings that a vendor's review asks for and writes a dossier: requests and answers without secrets and
guests, and a checklist with the evidence for each point. Exit code 1 if anything is missing.
  --live-test-host   books at the vendor's own test host, with the settings of the environment; otherwise at its stand-in
  --destination      where to look for rooms (Barcelona)`

/** Reported with the usage. Exit code 2. */
export class WrongOrder extends Error {
  override readonly name = 'WrongOrder'
}

type Order = {
  readonly kind: VendorKind
  readonly review: Review
  readonly folder: string
  readonly destination: string
  readonly live: boolean
  readonly pictures: boolean
}

/** Returns the exit code: 0 every point has its evidence, 1 something is missing. */
export async function certifyVendor(order: Order, config: Config, out: (line: string) => void): Promise<number> {
  return report(order, await playReview(order, config, out), out)
}

type Sandbox = Awaited<ReturnType<typeof openSandbox>>

/** Parts that take a while to open and that several reviews can share. */
type Equipment = { readonly parts: StageOptions['parts']; openSandbox(config: Config): Promise<Sandbox> }

/** Plays every sample on a database of its own. */
export async function playReview(
  order: Order,
  config: Config,
  out: (line: string) => void,
  equipment: Equipment = { parts: { locations: openLocations() }, openSandbox },
): Promise<Played> {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-certify-'))
  try {
    return await play(order, stageConfig(config, dataDir), equipment, out)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Judges what was recorded, writes the dossier, and returns the exit code. */
export function report(
  order: Order,
  { evidence, environment, ...played }: Played,
  out: (line: string) => void,
): number {
  const judged = judge(order.review.points, evidence)
  const redact = createRedact(secretsOf(order.kind, environment))
  const at = new Date(systemClock.now()).toISOString()
  writeDossier(order.folder, { ...played, vendorId: order.kind.id, at, evidence, judged, redact })
  for (const line of summary(judged)) out(line)
  out(`The dossier is in ${order.folder}.`)
  return isPassed(judged) ? 0 : 1
}

export function readOrder(args: string[]): Order {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      destination: { type: 'string', default: 'Barcelona' },
      'live-test-host': { type: 'boolean', default: false },
      'no-screenshots': { type: 'boolean', default: false },
    },
  })
  const kind = VENDOR_KINDS.find(({ id }) => id === positionals[0])
  const review = kind && REVIEWS.get(kind.id)
  if (kind === undefined || review === undefined || positionals.length !== 1) {
    throw new WrongOrder(`Name one of these vendors: ${[...REVIEWS.keys()].join(', ')}.`)
  }
  if (values.out === undefined) throw new WrongOrder('Name a folder for the dossier: --out FOLDER.')
  if (existsSync(values.out) && readdirSync(values.out).length > 0) {
    throw new WrongOrder(`${values.out} is not empty; two dossiers in one folder cannot be distinguished.`)
  }
  const { destination, 'live-test-host': live, 'no-screenshots': noPictures } = values
  return { kind, review, folder: values.out, destination, live, pictures: !noPictures }
}

type Played = {
  readonly evidence: Evidence
  readonly host: string
  readonly screenshots: readonly string[] | string
  readonly environment: Readonly<Record<string, string>>
}

/** Faults cannot be had at a real host, so they are always played at the stand-in. */
async function play(order: Order, config: Config, equipment: Equipment, out: (line: string) => void): Promise<Played> {
  const { kind, review, destination, live } = order
  const password = randomBytes(24).toString('base64url')
  const host = live ? liveSettings(order, config) : undefined
  const recorder = createRecorder()
  const options = { vendorId: kind.id, destination, recorder, password, parts: equipment.parts, out }
  const sandbox = await equipment.openSandbox(config)
  try {
    const standIn = settingsOf(kind, review, sandbox.environment)
    const journeys = (stage: Stage) => playJourneys(stage, review)
    if (host !== undefined) {
      const elsewhere = { ...config, dataDir: join(config.dataDir, 'live') }
      await withContent(elsewhere, { ...options, environment: host }, journeys)
    }
    const atStandIn = { ...options, environment: standIn }
    await withContent(config, atStandIn, async (stage) => {
      if (host === undefined) await journeys(stage)
      await playFaults(stage, faultsOf(sandbox.control, kind.id))
    })
    const screenshots = order.pictures
      ? await takeScreenshots(readsContent(config), atStandIn, order)
      : 'None: they were not wanted.'
    const [origin = 'the stand-in'] = host === undefined ? [] : kind.origins(host)
    return { host: origin, screenshots, environment: host ?? standIn, evidence: recorder.evidence() }
  } finally {
    await sandbox.close()
  }
}

const readsContent = (config: Config): Config => ({ ...config, content: { ...config.content, live: true } })

/** Content is read before anybody looks, and never after: as a service does that keeps its own copy. */
async function withContent<T>(config: Config, options: StageOptions, work: Work<T>): Promise<T> {
  await withStage(readsContent(config), options, readContent)
  return withStage(config, options, work)
}

/** Real bookings must not be made by mistake: only the vendor's own test hosts are booked at. */
function liveSettings({ kind, review }: Order, config: Config): Readonly<Record<string, string>> {
  if (!kind.isConfigured(config.vendorEnvironment)) {
    const names = kind.variables.filter(({ required }) => required).map(({ name }) => name)
    throw new ConfigError(`--live-test-host needs the vendor's settings: ${names.join(', ')}.`)
  }
  const environment = settingsOf(kind, review, config.vendorEnvironment)
  const others = kind.origins(environment).filter((origin) => !review.testHosts.includes(new URL(origin).hostname))
  if (others.length > 0) {
    throw new ConfigError(`${others.join(', ')} is no test host of ${kind.id} (${review.testHosts.join(', ')}).`)
  }
  const set = kind.variables.flatMap(({ name, pointer }): [string, string][] => {
    const value = environment[name]
    return value === undefined ? [] : [[pointer.slice(1), value]]
  })
  const objection = review.objectionTo?.(Object.fromEntries(set))
  if (objection !== undefined) throw new ConfigError(objection)
  return environment
}

/** Of this vendor alone, with what a played booking must have where the operator has not set it. */
function settingsOf(kind: VendorKind, review: Review, environment: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    kind.variables.flatMap(({ name, pointer }) => {
      const value = environment[name] ?? review.settings[pointer.slice(1)]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

const secretsOf = ({ variables }: VendorKind, environment: Readonly<Record<string, string>>): string[] =>
  variables.filter(({ secret }) => secret).flatMap(({ name }) => environment[name] ?? [])

type Controls = Sandbox['control']

/** The faults that the samples need, by the names of the operations they hit. */
function faultsOf(controls: Controls, vendorId: string): Faults {
  const control = Object.entries(controls).find(([id]) => id === vendorId)?.[1]
  if (control === undefined) throw new ConfigError(`${vendorId} has no stand-in.`)
  return {
    priceChange: () => control.addFaults({ kind: 'price_change', operation: 'price_check' }),
    lostAnswer: () => control.addFaults({ kind: 'reset_after', operation: 'book', times: 1 }),
    unavailable: () => control.addFaults({ kind: 'error_before', operation: 'availability' }),
    none: () => control.clearFaults(),
  }
}

function summary(judged: readonly Judged[]): string[] {
  const lines = judged.map(({ title, verdict }) => {
    const sign = 'missing' in verdict ? '✗' : 'notSent' in verdict ? '·' : '✓'
    return `  ${sign} ${title}${'files' in verdict ? '' : `  ${wordsOf(verdict).replaceAll('*', '')}`}`
  })
  const missing = judged.filter(({ verdict }) => 'missing' in verdict).length
  return [
    ...lines,
    missing === 0 ? 'Every point has its evidence.' : `${missing} of ${judged.length} points are missing.`,
  ]
}
