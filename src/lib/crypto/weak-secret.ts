const BYTES_MIN = 32
/** Thirty-two random bytes have about thirty different values, and as many different steps from one to the next. */
const DIFFERENT_MIN = 18
const PLACEHOLDERS = /change-?me|secret|default|example/i

/** Whether somebody could guess it: too short, few different bytes, a sequence, a repetition, or readable text. */
export function isWeakSecret(encoded: string): boolean {
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length < BYTES_MIN || PLACEHOLDERS.test(encoded)) return true
  const steps = stepsOf(bytes)
  if ([bytes, steps, stepsOf(steps)].some((values) => new Set(values).size < DIFFERENT_MIN)) return true
  return isText(bytes)
}

/** A sequence such as 1, 2, 3 … has one step, squares have one step between their steps. */
const stepsOf = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(1).map((byte, at) => (byte - (bytes[at] ?? 0) + 256) % 256)

/** A sentence has a tenth of the randomness of its length. */
const isText = (bytes: Uint8Array): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
