import { parentPort, workerData } from 'node:worker_threads'
import { type Coordinates, createTree } from './build-tree.ts'

const { data } = createTree(workerData as Coordinates)
parentPort?.postMessage(data, [data as ArrayBuffer])
