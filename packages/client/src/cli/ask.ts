import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError, EXIT } from './exit-codes.ts'

const isTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Typed without being shown; from a pipe, its first line. */
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

/** Somebody must agree; a script does so with --yes. */
export async function confirm(question: string, isAgreed: boolean | undefined): Promise<void> {
  if (isAgreed) return
  if (!isTerminal()) throw new CommandError(`${question} Add --yes to agree.`, EXIT.usage)
  if (!/^y(es)?$/i.test(await askText(`${question} [y/N] `))) throw new CommandError('Nothing was done.', EXIT.refused)
}
