import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const STEP_SECONDS = 30
const SECRET_BYTES = 20
/** Also accepts the previous and the next code, because clocks of phones differ. */
const STEPS_AROUND = 1

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** As authenticator apps expect it: RFC 6238 with SHA-1, six digits and steps of 30 seconds. */
const createTotp = (secret: Uint8Array, options: { readonly digits?: number; readonly label?: string } = {}) =>
  new TOTP({ issuer: 'Serai', secret: new Secret({ buffer: new Uint8Array(secret).buffer }), ...options })

export const codeAt = (secret: Uint8Array, step: number, digits = 6): string =>
  createTotp(secret, { digits }).generate({ timestamp: step * STEP_SECONDS * 1_000 })

/** Time step of a code; undefined if it is not valid now. */
export function findStep(secret: Uint8Array, code: string, now: number): number | undefined {
  const token = code.replaceAll(' ', '')
  // The library throws for other characters.
  if (!/^\d{6}$/.test(token)) return undefined
  const distance = createTotp(secret).validate({ token, timestamp: now, window: STEPS_AROUND })
  return distance === null ? undefined : Math.floor(now / 1_000 / STEP_SECONDS) + distance
}

/** For entry by hand or as a QR code. */
export function describeTotp(secret: Uint8Array, label: string): { readonly secret: string; readonly uri: string } {
  const totp = createTotp(secret, { label })
  return { secret: totp.secret.base32, uri: totp.toString() }
}
