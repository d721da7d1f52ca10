import { parentPort } from 'node:worker_threads'
import { documentPdf } from './document-pdf.ts'
import type { DocumentToPrint, PrintedPdf } from './print-document.ts'

parentPort?.on('message', async ({ id, document }: DocumentToPrint) => {
  try {
    const pdf = new Uint8Array(await documentPdf(document))
    parentPort?.postMessage({ id, pdf } satisfies PrintedPdf, [pdf.buffer])
  } catch (error) {
    parentPort?.postMessage({ id, error } satisfies PrintedPdf)
  }
})
