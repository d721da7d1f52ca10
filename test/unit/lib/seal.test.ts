import { expect, test } from 'vitest'
import { deriveKeyring } from '../../../src/lib/keyring.ts'
import { openJson, sealJson } from '../../../src/lib/seal.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 7) }], 'sealing')
const nonceOf = (sealed: string) =>
  Buffer.from(sealed.split('.')[2] ?? '', 'base64url')
    .subarray(0, 12)
    .toString('hex')

test('no two sealings share a nonce, and each opens as what it was', () => {
  const sealed = Array.from({ length: 2_000 }, (_, at) => sealJson(keyring, 'kind', { at }, { pack: at % 2 === 0 }))
  expect(new Set(sealed.map(nonceOf)).size).toBe(sealed.length)
  expect(sealed.map((text) => openJson(keyring, 'kind', text))).toEqual(sealed.map((_, at) => ({ at })))
})
