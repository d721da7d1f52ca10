/**
 * Container of the location file: named columns of integers or bytes after a JSON header. Integers are stored as
 * byte planes (all low bytes, then all second bytes …), which compress far better than interleaved words.
 */
export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array

const COLUMN_TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array } as const
export type ColumnKind = keyof typeof COLUMN_TYPES
type ColumnOf<K extends ColumnKind> = InstanceType<(typeof COLUMN_TYPES)[K]>

export type ColumnEntry = {
  readonly name: string
  readonly kind: ColumnKind
  readonly length: number
  readonly at: number
}
export type Container = ReturnType<typeof openColumns>

export const MAGIC = 'SERAILOC'

/** Throws if the bytes are not such a container. Columns are decoded on demand. */
export function openColumns(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < MAGIC.length + 4 || buffer.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new Error('The file is not a location file.')
  }
  const bodyStart = MAGIC.length + 4 + buffer.readUInt32LE(MAGIC.length)
  const header: { meta: unknown; entries: ColumnEntry[] } = JSON.parse(
    buffer.toString('utf8', MAGIC.length + 4, bodyStart),
  )

  function column<K extends ColumnKind>(name: string, kind: K): ColumnOf<K> {
    const entry = header.entries.find((candidate) => candidate.name === name)
    if (entry === undefined || entry.kind !== kind) throw new Error(`location file has no column ${name} of ${kind}`)
    const column = new COLUMN_TYPES[kind](entry.length)
    const body = bytes.subarray(bodyStart + entry.at, bodyStart + entry.at + column.byteLength)
    if (body.length !== column.byteLength) throw new Error(`location file ends inside column ${name}`)
    fillFromPlanes(column, body)
    return column as ColumnOf<K>
  }
  return { meta: header.meta, column }
}

function fillFromPlanes(column: Column, planes: Uint8Array): void {
  if (column instanceof Uint8Array) {
    column.set(planes)
    return
  }
  for (let plane = 0; plane < column.BYTES_PER_ELEMENT; plane++) {
    const start = plane * column.length
    for (let i = 0; i < column.length; i++) column[i] = (column[i] ?? 0) | ((planes[start + i] ?? 0) << (8 * plane))
  }
}
