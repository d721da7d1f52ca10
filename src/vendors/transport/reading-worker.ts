import { parentPort } from 'node:worker_threads'
import { VendorError } from '../vendor-error.ts'
import type { Reading } from './call.ts'
import { readAnswer, UnpackError, unpackSync } from './read-answer.ts'
import type { FromThread, ReadJob, Sent, ToThread } from './reading-threads.ts'

/** Unpacks, parses and decodes long answers one after another, and sends back only what was decoded. */
parentPort?.on('message', async (message: ToThread) => {
  if ('load' in message) {
    await import(message.load)
    send('loaded')
  } else send({ id: message.id, outcome: await outcomeOf(message) })
})

const send = (message: FromThread) => parentPort?.postMessage(message)

async function outcomeOf({ raw, encoding, module, frame }: ReadJob): Promise<Sent> {
  let said: ReturnType<typeof readAnswer> = { body: undefined }
  try {
    const { read } = (await import(module)) as Pick<Reading, 'read'>
    said = readAnswer(unpackSync(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), encoding))
    if (said.body === undefined) return { fault: 'malformed', detail: 'a body that is no JSON', said }
    return { answerJson: JSON.stringify(read(said.body, frame)) }
  } catch (error) {
    if (error instanceof UnpackError) return { unreadable: error.message }
    return error instanceof VendorError ? { fault: error.fault, detail: error.detail, said } : { bug: error }
  }
}
