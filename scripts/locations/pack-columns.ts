import { type Column, type ColumnEntry, type ColumnKind, MAGIC } from '../../src/locations/byte-columns.ts'

/** Writes the container that `openColumns` reads. */
export function packColumns(meta: unknown, columns: Readonly<Record<string, Column>>): Buffer {
  const entries: ColumnEntry[] = []
  const bodies: Uint8Array[] = []
  let offset = 0
  for (const [name, column] of Object.entries(columns)) {
    const body = toPlanes(column)
    entries.push({ name, kind: columnKind(column), length: column.length, at: offset })
    bodies.push(body)
    offset += body.length
  }
  const header = Buffer.from(JSON.stringify({ meta, entries }), 'utf8')
  const start = Buffer.alloc(MAGIC.length + 4)
  start.write(MAGIC, 'latin1')
  start.writeUInt32LE(header.length, MAGIC.length)
  return Buffer.concat([start, header, ...bodies])
}

function columnKind(column: Column): ColumnKind {
  if (column instanceof Uint8Array) return 'u8'
  if (column instanceof Uint16Array) return 'u16'
  return column instanceof Uint32Array ? 'u32' : 'i32'
}

function toPlanes(column: Column): Uint8Array {
  const planes = new Uint8Array(column.byteLength)
  for (let plane = 0; plane < column.BYTES_PER_ELEMENT; plane++) {
    const start = plane * column.length
    for (let i = 0; i < column.length; i++) planes[start + i] = ((column[i] ?? 0) >>> (8 * plane)) & 255
  }
  return planes
}
