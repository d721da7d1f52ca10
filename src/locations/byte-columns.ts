/**
 * The container of the location file: named columns of whole numbers or bytes behind a JSON header.
 * Numbers are kept as byte planes (all low bytes, then all second bytes …), because a general compressor
 * finds far more to save in a plane than in interleaved words.
 */
export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array
export type ColumnKind = 'u8' | 'u16' | 'u32' | 'i32'

type Entry = { readonly name: string; readonly kind: ColumnKind; readonly length: number; readonly at: number }
export type Container = { readonly meta: unknown; column(name: string, kind: 'u8'): Uint8Array } & {
  column(name: string, kind: 'u16'): Uint16Array
  column(name: string, kind: 'u32'): Uint32Array
  column(name: string, kind: 'i32'): Int32Array
}

const WIDTH = { u8: 1, u16: 2, u32: 4, i32: 4 } as const satisfies Record<ColumnKind, number>
const MAGIC = 'SERAILOC'

export function packColumns(meta: unknown, columns: Readonly<Record<string, Column>>): Buffer {
  const entries: Entry[] = []
  const bodies: Uint8Array[] = []
  let at = 0
  for (const [name, column] of Object.entries(columns)) {
    const kind = kindOf(column)
    const body = toPlanes(column, WIDTH[kind])
    entries.push({ name, kind, length: column.length, at })
    bodies.push(body)
    at += body.length
  }
  const header = Buffer.from(JSON.stringify({ meta, entries }), 'utf8')
  const start = Buffer.alloc(MAGIC.length + 4)
  start.write(MAGIC, 'latin1')
  start.writeUInt32LE(header.length, MAGIC.length)
  return Buffer.concat([start, header, ...bodies])
}

/** Throws on bytes that are not such a container; a column is decoded when it is asked for. */
export function openColumns(bytes: Uint8Array): Container {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < MAGIC.length + 4 || buffer.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new Error('not a location file')
  }
  const bodyAt = MAGIC.length + 4 + buffer.readUInt32LE(MAGIC.length)
  const { meta, entries } = JSON.parse(buffer.toString('utf8', MAGIC.length + 4, bodyAt)) as {
    meta: unknown
    entries: Entry[]
  }
  const byName = new Map(entries.map((entry) => [entry.name, entry]))

  function column(name: string, kind: ColumnKind): Column {
    const entry = byName.get(name)
    if (entry === undefined || entry.kind !== kind) throw new Error(`location file has no column ${name} of ${kind}`)
    const size = entry.length * WIDTH[kind]
    const body = bytes.subarray(bodyAt + entry.at, bodyAt + entry.at + size)
    if (body.length !== size) throw new Error(`location file ends inside column ${name}`)
    return fromPlanes(body, kind, entry.length)
  }
  return { meta, column: column as Container['column'] }
}

function kindOf(column: Column): ColumnKind {
  if (column instanceof Uint8Array) return 'u8'
  if (column instanceof Uint16Array) return 'u16'
  return column instanceof Uint32Array ? 'u32' : 'i32'
}

function toPlanes(column: Column, width: number): Uint8Array {
  const planes = new Uint8Array(column.length * width)
  for (let i = 0; i < column.length; i++) {
    const value = column[i] ?? 0
    for (let plane = 0; plane < width; plane++) planes[plane * column.length + i] = (value >>> (8 * plane)) & 255
  }
  return planes
}

function fromPlanes(body: Uint8Array, kind: ColumnKind, length: number): Column {
  // A copy, so that the rest of the file need not be kept for the sake of one column.
  if (kind === 'u8') return new Uint8Array(body)
  if (kind === 'u16') {
    const column = new Uint16Array(length)
    for (let i = 0; i < length; i++) column[i] = (body[i] as number) | ((body[length + i] as number) << 8)
    return column
  }
  const column = kind === 'u32' ? new Uint32Array(length) : new Int32Array(length)
  const [second, third, fourth] = [length, 2 * length, 3 * length]
  for (let i = 0; i < length; i++) {
    column[i] =
      (body[i] as number) |
      ((body[second + i] as number) << 8) |
      ((body[third + i] as number) << 16) |
      ((body[fourth + i] as number) << 24)
  }
  return column
}
