import { hasPage, openConfigured } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { type Running, serve, stopOnSignal } from '../main.ts'
import { migrate } from '../store/migrations.ts'

export const DEMO = { email: 'demo@example.com', password: 'demo-demo-demo' } as const

export async function serveCommand(): Promise<undefined> {
  const config = readConfig()
  const running = await serve(config)
  stopOnSignal(running, config)
  console.log(`Serai is listening on ${running.url}`)
}

export async function migrateCommand(): Promise<number> {
  const database = openConfigured(readConfig())
  try {
    const steps = await migrate(database, systemClock)
    console.log(steps.length === 0 ? 'The database is up to date.' : `Migrated: ${steps.join(', ')}.`)
    return 0
  } finally {
    await database.close()
  }
}

/** For trying out: everything set up, one account ready. */
export async function devCommand(): Promise<undefined> {
  const config = readConfig()
  const hasDemo = config.mode !== 'production'
  const running = await serve(config, hasDemo ? { demo: DEMO } : {})
  stopOnSignal(running, config)
  if (hasDemo) await running.app.manageAccounts.add(DEMO.email, 'Demo Guest', DEMO.password)
  console.log(greeting(config, running, hasDemo))
}

function greeting(config: Config, { url, app: { migrated, vendorIds } }: Running, hasDemo: boolean): string {
  const where = config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL'
  return [
    '',
    `  Serai is ready${migrated.length > 0 ? ` (set up a fresh database in ${where})` : ''}.`,
    '',
    ...(hasPage() ? [`  Page            ${url}`] : []),
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
