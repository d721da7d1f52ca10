import { hash, verify } from '@node-rs/argon2'

/** OWASP's minimum for argon2id, which is what the library hashes with unless told otherwise. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const
/** Hashing is heavy on purpose; more than two at once would starve everything else on a small machine. */
const AT_ONCE_MAX = 2

export type Passwords = ReturnType<typeof createPasswords>

export function createPasswords() {
  let running = 0
  const waiting: (() => void)[] = []
  /** Compared against when the e-mail is unknown, so that both cases take the same time. */
  const decoy = hash('a password nobody has', COST)

  async function inTurn<T>(work: () => Promise<T>, isFirst = false): Promise<T> {
    if (running >= AT_ONCE_MAX)
      await new Promise<void>((resolve) => (isFirst ? waiting.unshift(resolve) : waiting.push(resolve)))
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }

  return {
    hash: (password: string): Promise<string> => inTurn(() => hash(password, COST)),
    /** With no hash to compare, does the same work and returns false. `isFirst` is tried before the others that wait. */
    async matches(passwordHash: string | undefined, password: string, isFirst = false): Promise<boolean> {
      const against = passwordHash ?? (await decoy)
      const same = await inTurn(() => verify(against, password), isFirst)
      return same && passwordHash !== undefined
    },
    /** How many sign-ins wait for their turn. */
    waiting: (): number => waiting.length,
  }
}
