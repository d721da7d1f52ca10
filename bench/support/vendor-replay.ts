import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { STAND_INS } from '../../sandbox/stand-ins.ts'
import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import type { ReplayOrder } from './vendor-replay-process.ts'

export type Replay = {
  /** The sandbox's settings, but asking here. */
  readonly environment: Readonly<Record<string, string>>
  /** How long the slowest vendor thinks before it answers; the quickest takes seven tenths of that. */
  pause(ms: number): Promise<void>
  /** The texts of every price answer that was given since `forgetServed`. */
  forgetServed(): Promise<void>
  served(): Promise<string[]>
  close(): void
}

/** Vendors in a process of their own that repeat what the sandbox once said. */
export async function startReplay(sandbox: Sandbox): Promise<Replay> {
  const program = join(import.meta.dirname, 'vendor-replay-process.ts')
  const addresses = STAND_INS.map(({ searchAddress }) => searchAddress)
  const told = [JSON.stringify(sandbox.origins), JSON.stringify(addresses)]
  const child = fork(program, told, { execArgv: [], serialization: 'advanced' })
  const { origins = {} } = await heard(child)
  const order = async (wanted: ReplayOrder) => {
    child.send(wanted)
    return heard(child)
  }
  const here = (address: string) =>
    Object.entries(sandbox.origins).reduce(
      (text, [name, origin]) => text.replace(origin, origins[name] ?? origin),
      address,
    )
  return {
    environment: Object.fromEntries(Object.entries(sandbox.environment).map(([name, value]) => [name, here(value)])),
    pause: async (ms) => void (await order({ kind: 'pause', ms })),
    forgetServed: async () => void (await order({ kind: 'forget served' })),
    served: async () => (await order({ kind: 'served' })).texts ?? [],
    close: () => void child.kill(),
  }
}

type Heard = { readonly origins?: Record<string, string>; readonly texts?: string[] }

function heard(child: ChildProcess): Promise<Heard> {
  return new Promise((resolve, reject) => {
    child.removeAllListeners('error')
    child.once('message', (message) => resolve(message as Heard))
    child.once('error', reject)
  })
}
