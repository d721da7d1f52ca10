import { isAscii } from 'node:buffer'

/** Where an answer keeps the one list that is nearly all of it. */
export type ListShape = {
  /** Names that lead to it; none where the answer is the list. */
  readonly path: readonly string[]
  /** The bytes before its first item: `"hotels":[`. */
  readonly opening: string
  /** How each item begins: `{"code":`. */
  readonly item: string
  /** What follows is a digit, where inner objects begin alike but for that. */
  readonly thenDigit?: boolean
}

/** An answer read item by item. `frame` is what stands around the list, which is there, and empty. */
export type Pieces = { readonly frame: unknown; readonly items: Iterable<unknown> }

/**
 * Reads a long list a few items at a time. Each is read, used and forgotten while it is young, which costs the garbage collector
 * next to nothing; an answer of megabytes read whole is copied twice before anybody looks at it.
 *
 * Cuts are guesses at where an item ends, and a wrong one does no harm: what is cut out must be JSON by itself, so that what
 * comes out is what the whole text says. Where it is not, the whole is read after all. Undefined where the text has no such list.
 */
export function readInPieces(bytes: Buffer, shape: ListShape): Pieces | undefined {
  const opening = bytes.indexOf(shape.opening)
  const end = bytes.lastIndexOf('}]') + 1
  const start = opening + shape.opening.length
  if (opening < 0 || end <= start) return undefined
  const frame = parsed(bytes.toString('utf8', 0, start) + bytes.toString('utf8', end))
  const list = listAt(frame, shape.path)
  if (list === undefined || list.length > 0) return undefined
  return { frame, items: { [Symbol.iterator]: () => itemsOf(bytes, start, end, shape) } }
}

/** Enough items at a time that the parser's own beginning and end do not count; few enough to be forgotten young. */
const PIECE_BYTES = 16 * 1024
const OPEN = 0x5b
const CLOSE = 0x5d

function* itemsOf(bytes: Buffer, start: number, end: number, shape: ListShape): Generator<unknown> {
  const next = Buffer.from(`},${shape.item}`)
  const thenDigit = shape.thenDigit ?? false
  // Of plain ASCII every byte is a character, and nothing has to be decoded.
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8'
  let from = start
  for (let count = 0; from < end; ) {
    const to = cutAfter(bytes, from, end, next, thenDigit)
    const piece = parsed(listText(bytes, from, to, encoding)) as readonly unknown[] | undefined
    if (piece === undefined) {
      yield* listAt(JSON.parse(bytes.toString('utf8')), shape.path)?.slice(count) ?? []
      return
    }
    yield* piece
    count += piece.length
    from = to + 1
  }
}

/** The items of a piece as a list of their own: what stands on either side of it lends its place to the brackets. */
function listText(bytes: Buffer, from: number, to: number, encoding: 'latin1' | 'utf8'): string {
  const [before = 0, after = 0] = [bytes[from - 1], bytes[to]]
  bytes[from - 1] = OPEN
  bytes[to] = CLOSE
  const text = bytes.toString(encoding, from - 1, to + 1)
  bytes[from - 1] = before
  bytes[to] = after
  return text
}

const ZERO = 0x30
const NINE = 0x39

/** Where the first item that ends a piece's length behind `from` seems to end. */
function cutAfter(bytes: Buffer, from: number, end: number, next: Buffer, thenDigit: boolean): number {
  for (let at = bytes.indexOf(next, from + PIECE_BYTES); at >= 0 && at < end; at = bytes.indexOf(next, at + 1)) {
    const byte = bytes[at + next.length] ?? 0
    if (!thenDigit || (byte >= ZERO && byte <= NINE)) return at + 1
  }
  return end
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function listAt(frame: unknown, path: readonly string[]): readonly unknown[] | undefined {
  let at = frame
  for (const name of path) {
    const holds = typeof at === 'object' && at !== null && Object.hasOwn(at, name)
    at = holds ? (at as Record<string, unknown>)[name] : undefined
  }
  return Array.isArray(at) ? at : undefined
}
