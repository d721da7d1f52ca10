import { parentPort } from 'node:worker_threads'
import { VendorError } from '../vendor-error.ts'
import type { Reading } from './call.ts'
import { describeShape } from './drift/describe-shape.ts'
import { parseBody, UnpackError, unpackSync } from './parse-body.ts'
import type { FromThread, ReadJob, ToThread, WorkerOutcome } from './reading-threads.ts'

/** Unpacks, parses and decodes long responses one by one. Returns only the decoded result. */
parentPort?.on('message', async (message: ToThread) => {
  if ('load' in message) {
    await import(message.load)
    send('loaded')
  } else send({ id: message.id, outcome: await runJob(message) })
})

const send = (message: FromThread) => parentPort?.postMessage(message)

async function runJob({ raw, encoding, module, frame, wantsShape }: ReadJob): Promise<WorkerOutcome> {
  let parsed: ReturnType<typeof parseBody> = { body: undefined }
  try {
    const { read } = (await import(module)) as Pick<Reading, 'read'>
    parsed = parseBody(unpackSync(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), encoding))
    if (parsed.body === undefined) return { fault: 'malformed', detail: 'a body that is not JSON', parsed }
    const shape = wantsShape === true ? describeShape(parsed.body) : undefined
    return { answerJson: JSON.stringify(read(parsed.body, frame)), shape }
  } catch (error) {
    if (error instanceof UnpackError) return { unreadable: error.message }
    return error instanceof VendorError ? { fault: error.fault, detail: error.detail, parsed } : { bug: error }
  }
}
