import { Worker } from 'node:worker_threads'
import KDBush from 'kdbush'

/** Longitude, latitude, longitude, latitude …: one pair per property. */
export type Coordinates = Float32Array<ArrayBuffer>

/** Up to here a tree is built between two requests and nobody notices (some 20 ms). */
const INLINE_MAX = 50_000

/** The tree's bytes; a big one is built in a thread of its own, so that requests go on meanwhile. */
export async function buildTree(coordinates: Coordinates): Promise<KDBush> {
  if (coordinates.length / 2 <= INLINE_MAX) return treeOf(coordinates)
  const worker = new Worker(new URL('./tree-worker.ts', import.meta.url), {
    workerData: coordinates,
    transferList: [coordinates.buffer],
  })
  return new Promise((resolve, reject) => {
    worker.once('message', (data: ArrayBuffer) => resolve(KDBush.from(data)))
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the index thread ended with ${code} before it answered`)))
  })
}

/** Float32 rounds by half a metre at most; whoever asks measures again with the exact coordinates. */
export function treeOf(coordinates: Coordinates): KDBush {
  const tree = new KDBush(coordinates.length / 2, 64, Float32Array)
  for (let at = 0; at < coordinates.length; at += 2) tree.add(coordinates[at] ?? 0, coordinates[at + 1] ?? 0)
  return tree.finish()
}
