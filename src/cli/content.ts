import { parseArgs } from 'node:util'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { FeedProgress } from '../catalogue/sync-feed.ts'
import { monotonicMs } from '../lib/clock.ts'
import { isPlainDate } from '../lib/plain-date.ts'
import type { Vendor } from '../vendors/contract.ts'
import { VendorError } from '../vendors/vendor-error.ts'
import type { Command } from './command.ts'
import { describeContent } from './format-content.ts'
import { withApp } from './with-app.ts'

type Deps = {
  readonly catalogue: Pick<Catalogue, 'syncFeed' | 'contentStatus'>
  readonly vendors: readonly Vendor[]
  out(line: string): void
  /** Rewrites the last line of a terminal; missing if the output is a file. */
  status?(text: string): void
  readonly signal?: AbortSignal
}

const USAGE = `serai content sync [--vendor VENDOR_ID] [--since YYYY-MM-DD]
  reads all content of the vendors, or what changed since a day; continues where an interrupted run stopped
serai content status
  how much of each vendor's content there is, how old it is, and what keeping it fresh has used today`

export const content: Command = {
  usage: USAGE,
  run: (args) =>
    withApp(({ operator: { catalogue, vendors } }) => {
      const interrupted = new AbortController()
      process.once('SIGINT', () => interrupted.abort())
      const status = (text: string) => void process.stdout.write(`\r${text}\u001b[K`)
      const terminal = process.stdout.isTTY ? { status } : {}
      return contentCommand(args, { catalogue, vendors, out: console.log, signal: interrupted.signal, ...terminal })
    }),
}

/** Returns the exit code: 0 done, 1 a vendor failed (what was read is kept), 2 wrong arguments. */
export async function contentCommand(args: string[], deps: Deps): Promise<number> {
  const options = { vendor: { type: 'string' }, since: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  if (positionals.join(' ') === 'status') return status(deps)
  if (positionals.join(' ') !== 'sync') return refuse(deps, USAGE)
  const { vendor: vendorId, since } = values
  if (since !== undefined && !isPlainDate(since))
    return refuse(deps, `"${since}" is not a date; write it as 2027-01-31.`)
  const vendors = deps.vendors.filter((vendor) => vendorId === undefined || vendor.id === vendorId)
  if (vendors.length === 0) {
    const known = deps.vendors.map((vendor) => vendor.id).join(', ')
    return refuse(
      deps,
      vendorId === undefined ? 'No vendor is configured.' : `There is no vendor ${vendorId}. Known: ${known}`,
    )
  }
  let failed = 0
  for (const vendor of vendors) if (!(await sync(vendor, since, deps))) failed += 1
  return failed === 0 ? 0 : 1
}

async function status({ catalogue, out }: Deps): Promise<number> {
  const statuses = await catalogue.contentStatus()
  if (statuses.length === 0) out('No vendor is configured.')
  for (const one of statuses) for (const line of describeContent(one)) out(line)
  return 0
}

async function sync(vendor: Vendor, since: string | undefined, deps: Deps): Promise<boolean> {
  const started = monotonicMs()
  let first: FeedProgress | undefined
  const onProgress = (progress: FeedProgress) => {
    if (first === undefined && progress.isResumed)
      deps.out(`${vendor.id}: continuing after ${count(progress.properties)} properties`)
    first ??= progress
    deps.status?.(
      `${vendor.id} ${bar(progress)} ${count(progress.properties)}${rate(progress, first, monotonicMs() - started)}`,
    )
  }
  const context = { signal: deps.signal ?? new AbortController().signal, requestId: `content-sync-${vendor.id}` }
  try {
    const options = { ...(since === undefined ? {} : { since }), onProgress }
    const done = await deps.catalogue.syncFeed(vendor, options, context)
    const dropped = done.dropped > 0 ? `, ${count(done.dropped)} left out (no name or no valid coordinates)` : ''
    deps.status?.('')
    deps.out(`${vendor.id}: ${count(done.properties)} properties in ${duration(monotonicMs() - started)}${dropped}`)
    return true
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    deps.status?.('')
    deps.out(`${error.message}. What was read is kept; run the command again to continue.`)
    return false
  }
}

const WIDTH = 30

/** Empty if the vendor does not say how many properties there are. */
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
  return `, ${count(perSecond)}/s${left}`
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

const count = (n: number) => Math.round(n).toLocaleString('en-US')

function refuse(deps: Deps, line: string): number {
  deps.out(line)
  return 2
}
