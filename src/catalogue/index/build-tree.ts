import { Worker } from 'node:worker_threads'
import KDBush from 'kdbush'

/** Longitude and latitude of each property, alternating. */
export type Coordinates = Float32Array<ArrayBuffer>

/** A tree of this size takes about 20 ms and is built on the main thread. */
const INLINE_MAX = 50_000

/** Builds a large tree on a thread, so that requests are not blocked. */
export async function buildTree(coordinates: Coordinates): Promise<KDBush> {
  if (coordinates.length / 2 <= INLINE_MAX) return createTree(coordinates)
  const worker = new Worker(new URL('./tree-worker.ts', import.meta.url), {
    workerData: coordinates,
    transferList: [coordinates.buffer],
  })
  return new Promise((resolve, reject) => {
    worker.once('message', (data: ArrayBuffer) => resolve(KDBush.from(data)))
    worker.once('error', reject)
    worker.once('exit', (code) =>
      reject(new Error(`the index thread exited with code ${code} before it returned a tree`)),
    )
  })
}

/** Float32 rounds by half a metre at most; callers measure again with exact coordinates. */
export function createTree(coordinates: Coordinates): KDBush {
  const tree = new KDBush(coordinates.length / 2, 64, Float32Array)
  for (let i = 0; i < coordinates.length; i += 2) tree.add(coordinates[i] ?? 0, coordinates[i + 1] ?? 0)
  return tree.finish()
}
