import { hkdfSync } from 'node:crypto'

/** A master secret and the name under which things sealed with it can be opened again after a rotation. */
export type SecretKey = { readonly id: string; readonly key: Buffer }

/** Keys for one purpose, derived, so that a leak of one use says nothing about the others. */
export type Keyring = { readonly current: SecretKey; byId(id: string): SecretKey | undefined }

export function deriveKeyring(secrets: readonly SecretKey[], purpose: string): Keyring {
  const keys = secrets.map(({ id, key }) => ({
    id,
    key: Buffer.from(hkdfSync('sha256', key, 'serai', purpose, 32)),
  }))
  const [current] = keys
  if (current === undefined) throw new Error('a keyring needs at least one secret')
  return { current, byId: (id) => keys.find((key) => key.id === id) }
}
