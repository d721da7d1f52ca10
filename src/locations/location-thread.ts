import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { readLocationTables } from './location-index.ts'
import { unpackLocations } from './unpack-locations.ts'

/** Works out the tables of the location file it is given and hands them over, without copying them. */
const tables = readLocationTables(unpackLocations(readFileSync(workerData as string)))
const buffers = new Set<ArrayBuffer>()
for (const column of [...Object.values(tables.rows), ...Object.values(tables.keys), ...tables.keys.winners]) {
  if (ArrayBuffer.isView(column)) buffers.add(column.buffer as ArrayBuffer)
}
parentPort?.postMessage(tables, [...buffers])
