import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Self-signed certificate and its key, in PEM. */
export type SelfSigned = { readonly cert: string; readonly key: string }

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const utf8 = (text: string) => der(0x0c, Buffer.from(text))
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`))

const COMMON_NAME = oid('550403')
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const BASIC_CONSTRAINTS = sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([255])))))
/** Names the loopback address 127.0.0.1. */
const LOOPBACK = sequence(oid('551d11'), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))))

/** Self-signed certificate for 127.0.0.1. */
export function createSelfSigned(name: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = sequence(der(0x31, sequence(COMMON_NAME, utf8(name))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    subject,
    sequence(time(2020), time(2120)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(BASIC_CONSTRAINTS, LOOPBACK)),
  )
  return { cert: toPem(sequence(body, ECDSA_WITH_SHA256, bitString(body, privateKey))), key: pemKey(privateKey) }
}

const bitString = (body: Buffer, key: KeyObject) => der(0x03, Buffer.from([0]), sign('sha256', body, key))
const pemKey = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const toPem = (certificate: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${(certificate.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
