import { freePort } from '../../test/support/servers/postgres.ts'
import { openStage, type ServerProcess, type Stage, startServer } from '../../test/support/servers/server-process.ts'
import { addAccounts, createApiClient, fetchToken } from '../crash/api-client.ts'
import { type LoadGenerator, openLoadGenerator, SERVER_FIRST } from './load-generator.ts'

export type OverloadStage = {
  readonly stage: Stage
  readonly server: ServerProcess
  readonly generators: { readonly others: LoadGenerator; readonly flood: LoadGenerator }
  readonly tokens: { readonly others: readonly string[]; readonly flood: string }
  readonly floodAccount: string
  /** Searches in a town until its content has been read; returns the id of the town. */
  visitTown(): Promise<string>
  close(): Promise<void>
}

const OTHERS = 4

/** One server process, the vendors' stand-ins, five accounts and two load generators. */
export async function openOverload(env: Readonly<Record<string, string>>): Promise<OverloadStage> {
  const stage = await openStage('overload')
  const serverEnv = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir, SERAI_LOG_LEVEL: 'info', ...env }
  const accounts = ['flood', ...Array.from({ length: OTHERS }, (_, n) => `other${n}`)].map((name) => ({
    email: `${name}@example.com`,
    name,
    password: `the password of ${name}`,
  }))
  const [floodAccount = ''] = await addAccounts(serverEnv, accounts)
  const generators = { others: openLoadGenerator('measured'), flood: openLoadGenerator('flood') }
  const server = await startServer({
    dataDir: stage.dataDir,
    port: await freePort(),
    env: serverEnv,
    under: SERVER_FIRST,
  })
  const [flood = '', ...others] = await Promise.all(accounts.map((account) => fetchToken(server.url, account)))
  return {
    stage,
    server,
    generators,
    tokens: { others, flood },
    floodAccount,
    visitTown: () => visitTown(server.url, others[0] ?? ''),
    async close() {
      for (const generator of Object.values(generators)) generator.close()
      await server.kill()
      await stage.close()
    },
  }
}

/** The first search of a town waits for its content and must not be measured. */
async function visitTown(url: string, token: string): Promise<string> {
  const client = createApiClient(url, token)
  for (let tries = 0; tries < 3; tries += 1) await client.search('Zermatt', 30 + tries)
  const places = JSON.parse((await client.ask('GET', '/api/locations/search?starts_with=zermatt')).text)
  return places.data[0].id
}
