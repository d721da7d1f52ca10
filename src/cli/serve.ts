import { parseArgs } from 'node:util'
import type { App } from '../app.ts'
import { type Config, ConfigError, readConfig, WORKERS_MAX } from '../config.ts'
import { onSignal, type Running, serve, stopper } from '../main.ts'

export const DEMO = { email: 'demo@example.com', password: 'demo-demo-demo' } as const

export async function serveCommand(args: string[] = []): Promise<number | undefined> {
  const config = readConfig()
  const count = workersOf(args) ?? config.workers
  if (count > 1) return serveAsFleet(config, count)
  const running = await serve(config)
  onSignal(stopper(running, config))
  console.log(`Serai is listening on ${running.url}`)
  return undefined
}

async function serveAsFleet(config: Config, count: number): Promise<number | undefined> {
  const { serveWithWorkers, WorkerFailure } = await import('../serve-workers.ts')
  try {
    const fleet = await serveWithWorkers(config, count, { onDeath: (words) => console.error(words) })
    onSignal(async () => {
      await fleet.stop()
      process.exit(0)
    })
    console.log(`Serai is listening on ${fleet.url} with ${count} workers`)
    return undefined
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

function workersOf(args: string[]): number | undefined {
  const { values } = parseArgs({ args, options: { workers: { type: 'string' } } })
  if (values.workers === undefined) return undefined
  const count = Number(values.workers)
  if (Number.isInteger(count) && count >= 1 && count <= WORKERS_MAX) return count
  throw new ConfigError(`--workers must be a whole number from 1 to ${WORKERS_MAX}.`)
}

/** For trying out: everything set up, one account ready. */
export async function devCommand(): Promise<undefined> {
  const config = readConfig()
  const hasDemo = config.mode !== 'production'
  const running = await (hasDemo ? serve(config, { demo: DEMO }, { prepare: addDemoGuest }) : serve(config))
  onSignal(stopper(running, config))
  console.log(greeting(config, running, hasDemo))
}

const addDemoGuest = ({ manageAccounts }: App) => manageAccounts.add(DEMO.email, 'Demo Guest', DEMO.password)

function greeting(config: Config, { url, app: { migrated, vendorIds, hasPage } }: Running, hasDemo: boolean): string {
  const where = config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL'
  return [
    '',
    `  Serai is ready${migrated.length > 0 ? ` (set up a fresh database in ${where})` : ''}.`,
    '',
    ...(hasPage ? [`  Page            ${url}`] : []),
    `  API reference   ${url}/docs`,
    ...(hasDemo ? [`  Account         ${DEMO.email}  /  ${DEMO.password}`] : []),
    `  Vendors         ${vendorWords(config, vendorIds)}`,
    `  Data            ${where}`,
    '',
    '  Stop with Ctrl-C.',
    '',
  ].join('\n')
}

function vendorWords(config: Config, vendorIds: readonly string[]): string {
  if (vendorIds.length === 0) return 'none yet: see docs/vendors.md; x-simulate-return works without'
  return `${vendorIds.join(', ')}${config.sandbox ? ' (stand-ins on this machine; no real hotel is ever asked)' : ''}`
}
