import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError, EXIT } from './exit-codes.ts'

const isTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Reads without echo; if piped, reads the first line. */
export async function askSecret(question: string): Promise<string> {
  if (!isTerminal()) return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? ''
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

export async function askText(question: string): Promise<string> {
  if (!isTerminal()) return ''
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

/** Asks for confirmation; scripts pass --yes. */
export async function confirm(question: string, isConfirmed: boolean | undefined): Promise<void> {
  if (isConfirmed) return
  if (!isTerminal()) throw new CommandError(`${question} Add --yes to confirm.`, EXIT.usage)
  if (!/^y(es)?$/i.test(await askText(`${question} [y/N] `))) throw new CommandError('Nothing was done.', EXIT.refused)
}
