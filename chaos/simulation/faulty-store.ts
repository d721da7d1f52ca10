import type { Choices } from './choices.ts'
import { never, type Owner, type VirtualTime } from './virtual-time.ts'

/** An injected fault, not a bug of the code under test. */
export class InjectedFault extends Error {}

/** One access to the database, with injected delays, failures and crashes. */
export type FaultyAccess = <T>(description: string, work: () => Promise<T>) => Promise<T>

const STORE_FAULTS = [
  'none',
  'none',
  'none',
  'none',
  'dies_before',
  'dies_after',
  'fails_before',
  'fails_after',
] as const
const STORE_DELAYS_MS = [0, 0, 1, 900, 3_990, 4_100, 40_000, 40_000] as const
export function createFaultyAccess(
  time: VirtualTime,
  choices: Choices,
  owner: Owner,
  name: string,
  log: (message: string) => void,
): FaultyAccess {
  const die = <T>(message: string): Promise<T> => {
    log(`${name} dies ${message}`)
    owner.alive = false
    return never<T>()
  }
  return async (description, work) => {
    if (!owner.alive) return never()
    const fault = choices.pick(STORE_FAULTS)
    await time.sleep(choices.pick(STORE_DELAYS_MS))
    if (fault === 'dies_before') return die(`before ${description}`)
    if (fault === 'fails_before') throw new InjectedFault(`no database for ${description}`)
    const result = await time.working(work)
    log(`${name} ${description}${result === undefined ? ' (nothing)' : ''}`)
    if (fault === 'dies_after') return die(`after ${description}`)
    await time.sleep(choices.pick(STORE_DELAYS_MS))
    if (fault === 'fails_after') throw new InjectedFault(`connection lost after ${description}`)
    return result
  }
}

/** The same store with faults in every call. */
export function withFaults<Store extends object>(store: Store, access: FaultyAccess): Store {
  const faulty = Object.entries(store).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member]
    const call = member as (...args: unknown[]) => Promise<unknown>
    return [name, (...args: unknown[]) => access(describeCall(name, args), () => call(...args))]
  })
  return Object.fromEntries(faulty) as Store
}

const describeCall = (name: string, args: unknown[]) =>
  name === 'move' ? `move ${args.slice(0, 3).join(' ')}` : typeof args[0] === 'string' ? `${name} ${args[0]}` : name
