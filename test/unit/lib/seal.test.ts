import { expect, test } from 'vitest'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { openJson, openText, sealJson, sealText } from '../../../src/lib/crypto/seal.ts'

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

test('a text comes back to the byte, and not as another kind', () => {
  for (const text of ['', '{"a":"né \u2028"}', '~not packed', 'x'.repeat(9_000)]) {
    const sealed = sealText(keyring, 'kind', `.${text}`)
    expect(openText(keyring, 'kind', sealed)).toBe(`.${text}`)
    expect(openText(keyring, 'other', sealed)).toBeUndefined()
    expect(
      openText(
        keyring,
        'kind',
        sealed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      ),
    ).toBeUndefined()
  }
})
