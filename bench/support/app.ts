import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import { type App, buildApp } from '../../src/compose/app.ts'
import { openConfigured } from '../../src/compose/database.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { PaymentProvider } from '../../src/payments/provider.ts'
import { spawnSandbox } from '../../src/process/spawn-sandbox.ts'
import type { Database } from '../../src/store/database.ts'

export type BenchApp = {
  readonly app: App
  readonly database: Database
  readonly sandbox: Sandbox
  readonly token: string
  readonly url: string
  readonly dataDir: string
  close(): Promise<void>
}

export const ACCOUNT = { email: 'bench@example.com', password: 'a password for measuring' } as const
const UNLIMITED = { quota: 1e9, windowMs: 60_000 }

type Outside = {
  /** Environment of the vendors; the sandbox itself by default. */
  createEnvironment?(sandbox: Sandbox): Promise<Readonly<Record<string, string>>>
  readonly paymentProvider?: PaymentProvider
}

/** The service in this process, with a real file and port, and its vendors in another process. */
export async function startBenchApp(
  settings: Partial<Config> = {},
  { createEnvironment, paymentProvider }: Outside = {},
): Promise<BenchApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'serai-bench-'))
  const base = readConfig({ NODE_ENV: 'test', SERAI_DATA_DIR: dataDir, SERAI_LOG_LEVEL: 'silent' })
  const allowances = { account: UNLIMITED, address: UNLIMITED, signInsPerAddress: UNLIMITED, signInsPerPair: UNLIMITED }
  const config: Config = { ...base, allowances, ...settings }
  const sandbox = await spawnSandbox({ pictureBase: 'http://127.0.0.1/pictures' })
  const vendorEnvironment = createEnvironment?.(sandbox) ?? Promise.resolve(sandbox.environment)
  const database = openConfigured(config)
  const app = await buildApp(config, { vendorEnvironment, database, ...(paymentProvider && { paymentProvider }) })
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  await app.manageAccounts.add(ACCOUNT.email, 'Bench', ACCOUNT.password)
  const { port } = app.http.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const answer = await fetch(`${url}/api/accounts/get_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: ACCOUNT }),
  })
  const { token } = (await answer.json()) as { token: string }
  return {
    app,
    database,
    sandbox,
    token,
    url,
    dataDir,
    async close() {
      await app.close()
      await sandbox.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Sends one request with the bench's token; throws unless it succeeds. */
export async function call<T>(bench: BenchApp, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(bench.url + path, {
    method,
    headers: {
      authorization: `bearer: ${bench.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as T
}
