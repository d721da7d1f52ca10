import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** One-time codes as authenticator apps make them: RFC 6238 with SHA-1, six digits and steps of 30 seconds. */
const STEP_MS = 30_000
const DIGITS = 6
const SECRET_BYTES = 20
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code before and after the present one count too: clocks of telephones differ. */
const STEPS_AROUND = [0, -1, 1] as const

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** RFC 4226: the HMAC of the counter, cut down to some digits. */
export function codeAt(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0')
}

/** The step of time that a code belongs to; undefined for one that does not count now. */
export function stepOfCode(secret: Uint8Array, code: string, now: number): number | undefined {
  const present = Math.floor(now / STEP_MS)
  const typed = Buffer.from(
    code
      .replaceAll(' ', '')
      .padEnd(DIGITS)
      .slice(0, DIGITS + 1),
  )
  const steps = STEPS_AROUND.map((distance) => present + distance)
  return steps.find((step) => {
    const expected = Buffer.from(codeAt(secret, step))
    return expected.length === typed.length && timingSafeEqual(expected, typed)
  })
}

/** As authenticator apps take it, typed or as a QR code. */
export function totpAddress(secret: Uint8Array, email: string): { readonly secret: string; readonly uri: string } {
  const text = base32(secret)
  const label = encodeURIComponent(`Serai:${email}`)
  return { secret: text, uri: `otpauth://totp/${label}?secret=${text}&issuer=Serai` }
}

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2))).join('')
}
