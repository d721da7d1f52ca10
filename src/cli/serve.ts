import { openConfigured } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { serve, stopOnSignal } from '../main.ts'
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
  const running = await serve(config)
  stopOnSignal(running, config)
  const hasDemo = config.mode !== 'production'
  if (hasDemo) await running.app.manageAccounts.add(DEMO.email, 'Demo Guest', DEMO.password)
  console.log(greeting(config, running.url, running.app.migrated, hasDemo))
}

function greeting(config: Config, url: string, migrated: readonly string[], hasDemo: boolean): string {
  const where = config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL'
  return [
    '',
    `  Serai is ready${migrated.length > 0 ? ` (set up a fresh database in ${where})` : ''}.`,
    '',
    `  API reference   ${url}/docs`,
    ...(hasDemo ? [`  Account         ${DEMO.email}  /  ${DEMO.password}`] : []),
    `  Data            ${where}`,
    '',
    '  Stop with Ctrl-C.',
    '',
  ].join('\n')
}
