import { addAccounts, createTraveller, signIn } from './crash-traveller.ts'
import { type Crowd, openCrowd, SERVER_FIRST } from './load-crowd.ts'
import { freePort } from './postgres.ts'
import { openStage, type ServerProcess, type Stage, startServer } from './server-process.ts'

export type OverloadStage = {
  readonly stage: Stage
  readonly server: ServerProcess
  readonly crowds: { readonly others: Crowd; readonly flood: Crowd }
  readonly tokens: { readonly others: readonly string[]; readonly flood: string }
  readonly floodAccount: string
  /** A town whose content has been read. */
  readonly destinationId: string
  close(): Promise<void>
}

const OTHERS = 4

/** One server process, the vendors' stand-ins, five accounts, and two crowds that wait for orders. */
export async function openOverload(env: Readonly<Record<string, string>>): Promise<OverloadStage> {
  const stage = await openStage('overload')
  const all = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir, SERAI_LOG_LEVEL: 'info', ...env }
  const accounts = ['flood', ...Array.from({ length: OTHERS }, (_, n) => `other${n}`)].map((name) => ({
    email: `${name}@example.com`,
    name,
    password: `the password of ${name}`,
  }))
  const [floodAccount = ''] = await addAccounts(all, accounts)
  const crowds = { others: openCrowd('measured'), flood: openCrowd('flood') }
  const server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env: all, under: SERVER_FIRST })
  const [flood = '', ...others] = await Promise.all(accounts.map((account) => signIn(server.url, account)))
  return {
    stage,
    server,
    crowds,
    tokens: { others, flood },
    floodAccount,
    destinationId: await visitedTown(server.url, others[0] ?? ''),
    async close() {
      for (const crowd of Object.values(crowds)) crowd.close()
      await server.kill()
      await stage.close()
    },
  }
}

/** The first search of a town waits for its content; nobody's figures should. */
async function visitedTown(url: string, token: string): Promise<string> {
  const traveller = createTraveller(url, token)
  for (let tries = 0; tries < 3; tries += 1) await traveller.search('Zermatt', 30 + tries)
  const places = JSON.parse((await traveller.ask('GET', '/api/locations/search?starts_with=zermatt')).text)
  return places.data[0].id
}
