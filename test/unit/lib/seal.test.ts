import { expect, test } from 'vitest'
import { deriveKeyring } from '../../../src/lib/crypto/keyring.ts'
import { openJson, openText, sealJson, sealText } from '../../../src/lib/crypto/seal.ts'

const keyring = deriveKeyring([{ id: 'k1', key: Buffer.alloc(32, 7) }], 'sealing')
const readNonce = (sealed: string) =>
  Buffer.from(sealed.split('.')[2] ?? '', 'base64url')
    .subarray(0, 12)
    .toString('hex')

test('no two seals share a nonce, and each opens to its value', () => {
  const sealed = Array.from({ length: 2_000 }, (_, index) =>
    sealJson(keyring, 'kind', { index }, { pack: index % 2 === 0 }),
  )
  expect(new Set(sealed.map(readNonce)).size).toBe(sealed.length)
  expect(sealed.map((text) => openJson(keyring, 'kind', text))).toEqual(sealed.map((_, index) => ({ index })))
})

test('a text opens unchanged, and not as another kind', () => {
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
