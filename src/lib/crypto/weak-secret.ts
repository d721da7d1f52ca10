const BYTES_MIN = 32
/** 32 random bytes have about 30 distinct values, and as many distinct differences between neighbours. */
const DISTINCT_MIN = 18
const PLACEHOLDERS = /change-?me|secret|default|example/i

/** True if guessable: too short, few distinct bytes, a sequence, a repetition, or readable text. */
export function isWeakSecret(encoded: string): boolean {
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length < BYTES_MIN || PLACEHOLDERS.test(encoded)) return true
  const steps = differences(bytes)
  if ([bytes, steps, differences(steps)].some((values) => new Set(values).size < DISTINCT_MIN)) return true
  return isText(bytes)
}

/** A sequence such as 1, 2, 3 … has a constant difference; squares have a constant second difference. */
const differences = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(1).map((byte, index) => (byte - (bytes[index] ?? 0) + 256) % 256)

/** A sentence has a tenth of the randomness of its length. */
const isText = (bytes: Uint8Array): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
