import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMutualTls } from '../sandbox/server/mutual-tls.ts'
import { type Config, ConfigError } from '../src/config.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { openLocations } from '../src/locations/load-locations.ts'
import { openSandbox } from '../src/process/serve.ts'
import { VENDOR_KINDS } from '../src/vendors/registry.ts'
import type { VendorKind } from '../src/vendors/vendor-kind.ts'
import { formatVerdict, isPassed, type Judged, judgePoints, writeDossier } from './dossier.ts'
import { copyContent, type Faults, playFaults, playJourneys, type Stage } from './play-samples.ts'
import { createEvidenceRecorder } from './recorder.ts'
import { createRedact } from './redact.ts'
import type { Evidence, Review } from './review.ts'
import { REVIEWS } from './reviews.ts'
import { takeScreenshots } from './screenshots.ts'
import { type StageOptions, stageConfig, type Work, withStage } from './stage.ts'

export const USAGE = `Usage: npm run certify -- VENDOR --out FOLDER [--live-test-host] [--destination NAME] [--no-screenshots]

Makes the sample bookings that a vendor's review requires and writes a dossier: requests and responses without secrets
and guest data, and a checklist with the evidence for each point. Exit code 1 if anything is missing.
  --live-test-host   books at the vendor's own test host, configured by environment variables, instead of its stand-in
  --destination      place to search for rooms (default: Barcelona)`

/** Reported together with the usage; exit code 2. */
export class CertifyUsageError extends Error {
  override readonly name = 'WrongOrder'
}

export type CertifyOptions = {
  readonly kind: VendorKind
  readonly review: Review
  readonly folder: string
  readonly destination: string
  readonly live: boolean
  readonly pictures: boolean
}

/** Returns the exit code: 0 if every point has evidence, 1 if something is missing. */
export async function certifyVendor(
  certifyOptions: CertifyOptions,
  config: Config,
  out: (line: string) => void,
): Promise<number> {
  return reportReview(certifyOptions, await playReview(certifyOptions, config, out), out)
}

type Sandbox = Awaited<ReturnType<typeof openSandbox>>

/** Parts that are slow to open and that several reviews can share. */
type Equipment = { readonly parts: StageOptions['parts']; openSandbox(config: Config): Promise<Sandbox> }

/** Plays every sample on a separate database. */
export async function playReview(
  certifyOptions: CertifyOptions,
  config: Config,
  out: (line: string) => void,
  equipment: Equipment = { parts: { locations: openLocations() }, openSandbox },
): Promise<Played> {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-certify-'))
  try {
    return await play(certifyOptions, stageConfig(config, dataDir), equipment, out)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Judges the recorded evidence, writes the dossier, and returns the exit code. */
export function reportReview(
  certifyOptions: CertifyOptions,
  { evidence, environment, ...played }: Played,
  out: (line: string) => void,
): number {
  const judged = judgePoints(certifyOptions.review.points, evidence)
  const redact = createRedact(listSecrets(certifyOptions.kind, environment))
  const playedAt = new Date(systemClock.now()).toISOString()
  writeDossier(certifyOptions.folder, {
    ...played,
    vendorId: certifyOptions.kind.id,
    playedAt,
    evidence,
    judged,
    redact,
  })
  for (const line of summarize(judged)) out(line)
  out(`The dossier is in ${certifyOptions.folder}.`)
  return isPassed(judged) ? 0 : 1
}

export function readCertifyOptions(args: string[]): CertifyOptions {
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
    throw new CertifyUsageError(`Specify one of these vendors: ${[...REVIEWS.keys()].join(', ')}.`)
  }
  if (values.out === undefined) throw new CertifyUsageError('Specify a folder for the dossier: --out FOLDER.')
  if (existsSync(values.out) && readdirSync(values.out).length > 0) {
    throw new CertifyUsageError(`${values.out} is not empty. Specify an empty or new folder.`)
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

/** Runs on the stand-in only, because a real host cannot be made to fail. */
async function play(
  certifyOptions: CertifyOptions,
  config: Config,
  equipment: Equipment,
  out: (line: string) => void,
): Promise<Played> {
  const { kind, review, destination, live } = certifyOptions
  const password = randomBytes(24).toString('base64url')
  const host = live ? liveSettings(certifyOptions, config) : undefined
  const recorder = createEvidenceRecorder()
  const options = { vendorId: kind.id, destination, recorder, password, parts: equipment.parts, out }
  const sandbox = await equipment.openSandbox(config)
  const testHost = await openTestHost(certifyOptions, sandbox, config.dataDir)
  try {
    const standIn = selectSettings(kind, review, testHost.environment)
    const journeys = (stage: Stage) => playJourneys(stage, review)
    if (host !== undefined) {
      const liveConfig = { ...config, dataDir: join(config.dataDir, 'live') }
      await withContent(liveConfig, { ...options, environment: host }, journeys)
    }
    const atStandIn = { ...options, environment: standIn }
    await withContent(config, atStandIn, async (stage) => {
      if (host === undefined) await journeys(stage)
      await playFaults(stage, createFaults(sandbox.control, kind.id))
    })
    const screenshots = certifyOptions.pictures
      ? await takeScreenshots(readsContent(config), atStandIn, certifyOptions)
      : 'None: screenshots were disabled.'
    const [origin = 'the stand-in'] = host === undefined ? [] : kind.origins(host)
    return { host: origin, screenshots, environment: host ?? standIn, evidence: recorder.evidence() }
  } finally {
    await testHost.close()
    await sandbox.close()
  }
}

/** Starts the stand-in with the limits of the vendor's test host: mutual TLS and calls per second. */
async function openTestHost({ kind, review }: CertifyOptions, { environment, control }: Sandbox, folder: string) {
  const { needsCertificate, callsPerSecond } = review
  if (callsPerSecond !== undefined) await findControl(control, kind.id).change({ callsPerSecond })
  const [origin] = kind.origins(selectSettings(kind, review, environment))
  if (needsCertificate === undefined || origin === undefined) return { environment, close: async () => undefined }
  const host = await openMutualTls(origin, needsCertificate)
  const files = {
    certificatePath: host.client.cert,
    certificateKeyPath: host.client.key,
    certificateAuthorityPath: host.authority,
  }
  mkdirSync(folder, { recursive: true })
  const settings: Record<string, string> = { bookingOrigin: host.origin }
  for (const [setting, pem] of Object.entries(files)) {
    settings[setting] = join(folder, `${setting}.pem`)
    writeFileSync(settings[setting], pem, { mode: 0o600 })
  }
  const added = kind.variables.flatMap(({ name, pointer }): [string, string][] => {
    const value = settings[pointer.slice(1)]
    return value === undefined ? [] : [[name, value]]
  })
  return { environment: { ...environment, ...Object.fromEntries(added) }, close: host.close }
}

const readsContent = (config: Config): Config => ({ ...config, content: { ...config.content, live: true } })

/** Reads the content before the samples and never after, like a service that has its own copy. */
async function withContent<T>(config: Config, options: StageOptions, work: Work<T>): Promise<T> {
  await withStage(readsContent(config), options, copyContent)
  return withStage(config, options, work)
}

/** Books only at the vendor's own test hosts, so that no real booking is made by mistake. */
function liveSettings({ kind, review }: CertifyOptions, config: Config): Readonly<Record<string, string>> {
  if (!kind.isConfigured(config.vendorEnvironment)) {
    const names = kind.variables.filter(({ required }) => required).map(({ name }) => name)
    throw new ConfigError(`--live-test-host needs the vendor's settings: ${names.join(', ')}.`)
  }
  const environment = selectSettings(kind, review, config.vendorEnvironment)
  const others = kind.origins(environment).filter((origin) => !review.testHosts.includes(new URL(origin).hostname))
  if (others.length > 0) {
    throw new ConfigError(`${others.join(', ')} is not a test host of ${kind.id} (${review.testHosts.join(', ')}).`)
  }
  const set = kind.variables.flatMap(({ name, pointer }): [string, string][] => {
    const value = environment[name]
    return value === undefined ? [] : [[pointer.slice(1), value]]
  })
  const objection = review.validateSettings?.(Object.fromEntries(set))
  if (objection !== undefined) throw new ConfigError(objection)
  return environment
}

/** Settings of this vendor only, with defaults for those that a sample booking requires. */
function selectSettings(kind: VendorKind, review: Review, environment: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    kind.variables.flatMap(({ name, pointer }) => {
      const value = environment[name] ?? review.settings[pointer.slice(1)]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

const listSecrets = ({ variables }: VendorKind, environment: Readonly<Record<string, string>>): string[] =>
  variables.filter(({ secret }) => secret).flatMap(({ name }) => environment[name] ?? [])

type Controls = Sandbox['control']

function findControl(controls: Controls, vendorId: string): Controls[keyof Controls] {
  const control = Object.entries(controls).find(([id]) => id === vendorId)?.[1]
  if (control === undefined) throw new ConfigError(`${vendorId} has no stand-in.`)
  return control
}

/** Faults that the samples need, by the operations they hit. */
function createFaults(controls: Controls, vendorId: string): Faults {
  const control = findControl(controls, vendorId)
  return {
    priceChange: () => control.addFaults({ kind: 'price_change', operation: 'price_check' }),
    lostAnswer: () => control.addFaults({ kind: 'reset_after', operation: 'book', times: 1 }),
    unavailable: () => control.addFaults({ kind: 'error_before', operation: 'availability' }),
    none: () => control.clearFaults(),
  }
}

function summarize(judged: readonly Judged[]): string[] {
  const lines = judged.map(({ title, verdict }) => {
    const sign = 'missing' in verdict ? '✗' : 'notSent' in verdict ? '·' : '✓'
    return `  ${sign} ${title}${'files' in verdict ? '' : `  ${formatVerdict(verdict).replaceAll('*', '')}`}`
  })
  const missing = judged.filter(({ verdict }) => 'missing' in verdict).length
  return [
    ...lines,
    missing === 0 ? 'Every point has evidence.' : `${missing} of ${judged.length} points have no evidence.`,
  ]
}
