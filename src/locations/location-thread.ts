import { parentPort } from 'node:worker_threads'
import { unpackLocations } from './load-locations.ts'
import { readLocationTables } from './location-index.ts'

/** Transfers the tables without copying them. */
const tables = readLocationTables(unpackLocations())
const columns = [...Object.values(tables.rows), ...Object.values(tables.keys)]
const buffers = columns.flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []))
parentPort?.postMessage(tables, [...new Set(buffers)])
