import { parentPort, workerData } from 'node:worker_threads'
import { unpackLocations } from './load-locations.ts'
import { readLocationTables } from './location-index.ts'

/** Works out the tables of the location file it is given and hands them over, without copying them. */
const tables = readLocationTables(unpackLocations(workerData as string))
const columns = [...Object.values(tables.rows), ...Object.values(tables.keys)]
const buffers = columns.flatMap((column) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []))
parentPort?.postMessage(tables, [...new Set(buffers)])
