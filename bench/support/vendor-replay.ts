import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { STAND_INS } from '../../sandbox/stand-ins.ts'
import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import type { ReplayOrder } from './vendor-replay-process.ts'

/** A sandbox key allows three searches a second; waiting for a turn is not what is measured. */
const UNLIMITED = {
  SERAI_LITEAPI_LIMITS_SEARCH_PER_SECOND: '100000',
  SERAI_LITEAPI_LIMITS_CONTENT_PER_SECOND: '100000',
}

export type Replay = {
  /** The sandbox's settings with the addresses of the replay. */
  readonly environment: Readonly<Record<string, string>>
  /** Sets the response time of the slowest vendor; the fastest takes seven tenths of it. */
  pause(ms: number): Promise<void>
  /** Bodies of every price response since `forgetServed`. */
  forgetServed(): Promise<void>
  served(): Promise<string[]>
  close(): void
}

/** Vendors in a separate process that repeat responses of the sandbox. */
export async function startReplay(sandbox: Sandbox): Promise<Replay> {
  const program = join(import.meta.dirname, 'vendor-replay-process.ts')
  const addresses = STAND_INS.map(({ searchAddress }) => searchAddress)
  const args = [JSON.stringify(sandbox.origins), JSON.stringify(addresses)]
  const child = fork(program, args, { execArgv: [], serialization: 'advanced' })
  const { origins = {} } = await nextMessage(child)
  const order = async (message: ReplayOrder) => {
    child.send(message)
    return nextMessage(child)
  }
  const toReplay = (address: string) =>
    Object.entries(sandbox.origins).reduce(
      (text, [name, origin]) => text.replace(origin, origins[name] ?? origin),
      address,
    )
  return {
    environment: {
      ...Object.fromEntries(Object.entries(sandbox.environment).map(([name, value]) => [name, toReplay(value)])),
      ...UNLIMITED,
    },
    pause: async (ms) => void (await order({ kind: 'pause', ms })),
    forgetServed: async () => void (await order({ kind: 'forget served' })),
    served: async () => (await order({ kind: 'served' })).texts ?? [],
    close: () => void child.kill(),
  }
}

type ReplayMessage = { readonly origins?: Record<string, string>; readonly texts?: string[] }

function nextMessage(child: ChildProcess): Promise<ReplayMessage> {
  return new Promise((resolve, reject) => {
    child.removeAllListeners('error')
    child.once('message', (message) => resolve(message as ReplayMessage))
    child.once('error', reject)
  })
}
