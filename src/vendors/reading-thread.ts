import { parentPort, workerData } from 'node:worker_threads'
import type { Reading } from './call.ts'
import { readAnswer, UnpackError, unpackHere } from './read-answer.ts'
import type { Outcome, ReadJob, ReadResult } from './read-apart.ts'
import { VendorError } from './vendor-error.ts'

/** Unpacks, parses and decodes long answers, one after another, and sends back the little that is wanted of them. */
parentPort?.on('message', async (job: ReadJob) => {
  parentPort?.postMessage(await resultOf(job))
})
// Loaded before the first answer comes: that takes longer than reading one.
await import(workerData as string)
parentPort?.postMessage('ready')

async function resultOf({ id, raw, encoding, list, module, frame }: ReadJob): Promise<ReadResult> {
  try {
    const { read } = (await import(module)) as Pick<Reading, 'read'>
    const { body, items, text } = readAnswer(
      unpackHere(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), encoding),
      list,
    )
    return { id, body, text, ...outcomeOf(() => read({ body, ...(items && { items }) }, frame)) }
  } catch (error) {
    return error instanceof UnpackError ? { id, unpackable: false } : { id, bug: error }
  }
}

function outcomeOf(read: () => unknown): Outcome {
  try {
    return { answer: read() }
  } catch (error) {
    if (error instanceof SyntaxError) return { failure: { fault: 'malformed', detail: 'a body that is no JSON' } }
    if (error instanceof VendorError) return { failure: { fault: error.fault, detail: error.detail } }
    return { bug: error }
  }
}
