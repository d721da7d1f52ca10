const BLOCK = 64
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0] as const

/** SHA-1 (RFC 3174) as hexadecimal digits, for short texts: `crypto.subtle` is missing in pages without TLS. Protects nothing. */
export function sha1(bytes: Uint8Array): string {
  let state: readonly number[] = START
  for (const block of blocksOf(bytes)) state = mix(state, block)
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** The padding of SHA-1: the message, a one bit, zeros, and the message's length in bits in the last eight bytes. */
function blocksOf(bytes: Uint8Array): readonly DataView[] {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  new DataView(padded.buffer).setUint32(padded.length - 4, bytes.length * 8)
  return Array.from({ length: padded.length / BLOCK }, (_, at) => new DataView(padded.buffer, at * BLOCK, BLOCK))
}

function mix(state: readonly number[], block: DataView): readonly number[] {
  const words = Array.from({ length: 16 }, (_, at) => block.getUint32(at * 4))
  const word = (at: number) => words[at] ?? 0
  for (let at = 16; at < 80; at += 1) words.push(rotate(word(at - 3) ^ word(at - 8) ^ word(at - 14) ^ word(at - 16), 1))
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state
  for (let at = 0; at < 80; at += 1) {
    const next = (rotate(a, 5) + step(at, b, c, d) + e + word(at)) | 0
    ;[a, b, c, d, e] = [next, a, rotate(b, 30), c, d]
  }
  return [a, b, c, d, e].map((part, at) => (part + (state[at] ?? 0)) | 0)
}

/** The function and the constant of each of the four rounds. */
function step(at: number, b: number, c: number, d: number): number {
  if (at < 20) return ((b & c) | (~b & d)) + 0x5a827999
  if (at < 40) return (b ^ c ^ d) + 0x6ed9eba1
  if (at < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
  return (b ^ c ^ d) + 0xca62c1d6
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by))
