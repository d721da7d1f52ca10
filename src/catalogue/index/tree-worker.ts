import { parentPort, workerData } from 'node:worker_threads'
import { type Coordinates, treeOf } from './build-tree.ts'

const { data } = treeOf(workerData as Coordinates)
parentPort?.postMessage(data, [data as ArrayBuffer])
