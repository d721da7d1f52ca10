import { hash, verify } from '@node-rs/argon2'
import { createFairTurns } from '../lib/async/fair-queue.ts'

/** OWASP's minimum for argon2id, the default algorithm of the library. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const
/** Hashing is expensive by design; more than two at once would starve a small machine. */
const AT_ONCE_MAX = 2

export type Passwords = ReturnType<typeof createPasswords>

export function createPasswords() {
  const turns = createFairTurns({ running: AT_ONCE_MAX })
  /** Compared if the e-mail is unknown, so that both cases take the same time. */
  const decoy = hash('a password nobody has', COST)

  async function inTurn<T>(work: () => Promise<T>, isFirst = false): Promise<T> {
    using _turn = await turns.enter('', { isFirst })
    return await work()
  }

  return {
    hash: (password: string): Promise<string> => inTurn(() => hash(password, COST)),
    /** Without a hash, does the same work and returns false. `isFirst` skips the queue. */
    async matches(passwordHash: string | undefined, password: string, isFirst = false): Promise<boolean> {
      const against = passwordHash ?? (await decoy)
      const same = await inTurn(() => verify(against, password), isFirst)
      return same && passwordHash !== undefined
    },
    /** Number of queued hash operations. */
    waiting: turns.waiting,
  }
}
