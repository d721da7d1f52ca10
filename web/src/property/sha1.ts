const BLOCK = 64
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0] as const

/** SHA-1 (RFC 3174) in hexadecimal, for short texts: `crypto.subtle` is missing in pages without TLS. Not for security. */
export function sha1(bytes: Uint8Array): string {
  let state: readonly number[] = START
  for (const block of padToBlocks(bytes)) state = mixBlock(state, block)
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Pads the message: a one bit, zeros, and its length in bits in the last eight bytes. */
function padToBlocks(bytes: Uint8Array): readonly DataView[] {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  new DataView(padded.buffer).setUint32(padded.length - 4, bytes.length * 8)
  return Array.from({ length: padded.length / BLOCK }, (_, index) => new DataView(padded.buffer, index * BLOCK, BLOCK))
}

function mixBlock(state: readonly number[], block: DataView): readonly number[] {
  const words = Array.from({ length: 16 }, (_, index) => block.getUint32(index * 4))
  const word = (index: number) => words[index] ?? 0
  for (let index = 16; index < 80; index += 1)
    words.push(rotate(word(index - 3) ^ word(index - 8) ^ word(index - 14) ^ word(index - 16), 1))
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state
  for (let index = 0; index < 80; index += 1) {
    const next = (rotate(a, 5) + roundValue(index, b, c, d) + e + word(index)) | 0
    ;[a, b, c, d, e] = [next, a, rotate(b, 30), c, d]
  }
  return [a, b, c, d, e].map((part, index) => (part + (state[index] ?? 0)) | 0)
}

/** Function and constant of each of the four rounds. */
function roundValue(index: number, b: number, c: number, d: number): number {
  if (index < 20) return ((b & c) | (~b & d)) + 0x5a827999
  if (index < 40) return (b ^ c ^ d) + 0x6ed9eba1
  if (index < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
  return (b ^ c ^ d) + 0xca62c1d6
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by))
