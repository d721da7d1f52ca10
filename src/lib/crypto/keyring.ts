import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** A master secret and its id, which finds it again after a rotation. */
export type SecretKey = { readonly id: string; readonly key: Buffer }

/** Derived for one purpose, so that a leaked key compromises no other use. */
type DerivedKey = SecretKey & { readonly secret: KeyObject }
export type Keyring = {
  readonly current: DerivedKey
  /** The current one first. */
  readonly all: readonly DerivedKey[]
  byId(id: string): DerivedKey | undefined
}

export function deriveKeyring(secrets: readonly SecretKey[], purpose: string): Keyring {
  const keys = secrets.map(({ id, key: master }): DerivedKey => {
    const key = Buffer.from(hkdfSync('sha256', master, 'serai', purpose, 32))
    return { id, key, secret: createSecretKey(key) }
  })
  const [current] = keys
  if (current === undefined) throw new Error('A keyring needs at least one secret.')
  return { current, all: keys, byId: (id) => keys.find((key) => key.id === id) }
}
