import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { FeedProgress } from '../../catalogue/sync/sync-feed.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { isPlainDate } from '../../lib/time/plain-date.ts'
import type { Vendor } from '../../vendors/contract.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import { type Command, print, sanitize, WrongArgument } from '../command.ts'
import { describeContent, formatInteger } from '../format-content.ts'
import { type ParsedCommand, readVerb } from '../read-verb.ts'
import { withApp } from '../with-app.ts'

type Deps = {
  readonly catalogue: Pick<Catalogue, 'syncFeed' | 'contentStatus'>
  readonly vendors: readonly Vendor[]
  /** Rewrites the last line of the terminal; absent if the output is a file. */
  status?(text: string): void
  readonly signal?: AbortSignal
}

const USAGE = `serai content sync [--vendor VENDOR_ID] [--since YYYY-MM-DD]
  reads all content of the vendors, or only the changes since a day; resumes an interrupted run
serai content status
  shows the size and age of each vendor's content, and the requests used today to keep it fresh`

export const contentCommand: Command = {
  usage: USAGE,
  async run(args) {
    const { work } = parseContentCommand(args)
    return withApp(({ operator: { catalogue, vendors } }) => {
      const interrupted = new AbortController()
      process.once('SIGINT', () => interrupted.abort())
      const status = (text: string) => void process.stdout.write(`\r${text}\u001b[K`)
      const terminal = process.stdout.isTTY ? { status } : {}
      return work({ catalogue, vendors, signal: interrupted.signal, ...terminal })
    })
  },
}

const OPTIONS = { vendor: { type: 'string' }, since: { type: 'string' } } as const

export function parseContentCommand(args: string[]): ParsedCommand<Deps> {
  const { verb, words, values } = readVerb(args, { sync: '--vendor --since', status: '' }, OPTIONS)
  const { vendor, since } = values
  if (since !== undefined && !isPlainDate(since))
    throw new WrongArgument(`--since must be a date such as 2027-01-31, not ${sanitize(since)}.`)
  return { verb, words, work: (deps) => (verb === 'status' ? status(deps) : syncAll(vendor, since, deps)) }
}

async function status({ catalogue }: Deps): Promise<number> {
  const statuses = await catalogue.contentStatus()
  if (statuses.length === 0) console.log('No vendor is configured.')
  for (const line of statuses.flatMap(describeContent)) console.log(line)
  return 0
}

/** Content that was read before a vendor failed stays stored. */
async function syncAll(vendorId: string | undefined, since: string | undefined, deps: Deps): Promise<number> {
  const vendors = deps.vendors.filter((vendor) => vendorId === undefined || vendor.id === vendorId)
  if (deps.vendors.length === 0) return print('No vendor is configured.', 1)
  if (vendors.length === 0) {
    const known = deps.vendors.map((vendor) => vendor.id).join(', ')
    return print(`There is no vendor ${sanitize(vendorId ?? '')}. Known: ${known}`, 1)
  }
  let failed = 0
  for (const vendor of vendors) if (!(await sync(vendor, since, deps))) failed += 1
  return failed === 0 ? 0 : 1
}

async function sync(vendor: Vendor, since: string | undefined, deps: Deps): Promise<boolean> {
  const started = monotonicMs()
  let first: FeedProgress | undefined
  const onProgress = (progress: FeedProgress) => {
    if (first === undefined && progress.isResumed)
      console.log(`${vendor.id}: continuing after ${formatInteger(progress.properties)} properties`)
    first ??= progress
    deps.status?.(
      `${vendor.id} ${bar(progress)} ${formatInteger(progress.properties)}${rate(progress, first, monotonicMs() - started)}`,
    )
  }
  const context = { signal: deps.signal ?? new AbortController().signal, requestId: `content-sync-${vendor.id}` }
  try {
    const options = { ...(since === undefined ? {} : { since }), onProgress }
    const done = await deps.catalogue.syncFeed(vendor, options, context)
    const dropped =
      done.dropped > 0 ? `, ${formatInteger(done.dropped)} left out (no name or no valid coordinates)` : ''
    deps.status?.('')
    console.log(
      `${vendor.id}: ${formatInteger(done.properties)} properties in ${duration(monotonicMs() - started)}${dropped}`,
    )
    return true
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    deps.status?.('')
    console.error(`${error.message}. The content read so far is kept; run the command again to resume.`)
    return false
  }
}

const WIDTH = 30

/** Empty if the vendor does not report a total. */
function bar({ properties, total }: FeedProgress): string {
  if (total === undefined || total === 0) return ''
  const share = Math.min(1, properties / total)
  const filled = Math.round(share * WIDTH)
  return `[${'█'.repeat(filled)}${'·'.repeat(WIDTH - filled)}] ${Math.floor(share * 100)} %`
}

function rate(now: FeedProgress, first: FeedProgress, ms: number): string {
  const perSecond = ((now.properties - first.properties) / Math.max(ms, 1)) * 1000
  if (ms < 1_000 || perSecond === 0) return ''
  const left = now.total === undefined ? '' : `, ${duration(((now.total - now.properties) / perSecond) * 1000)} left`
  return `, ${formatInteger(perSecond)}/s${left}`
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
