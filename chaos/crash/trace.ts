/** One system call of a trace that matters for durability. */
export type TracedCall = {
  /** Seconds since the epoch at which it began. */
  readonly at: number
  /** The calls of one thread are in order. */
  readonly thread: string
  readonly kind: 'wal_write' | 'sync' | 'vendor_order' | 'answer'
}

type TraceMarks = {
  /** How the write of the vendor's booking request begins, as strace prints it. */
  readonly order: RegExp
  /** How the write of our answer to the client begins. */
  readonly answer: RegExp
}

const LINE = /^(?:\[pid +)?(\d+)\]? +(\d+\.\d+) (.*)$/
const WAL = /<[^>]*serai\.db-wal>/
const WRITES = /^(?:p?writev?(?:64)?2?|sendto|sendmsg)\(/
const SYNCS = /^f(?:data)?sync\(/
const FAILED = / = -1 E[A-Z]+/

/** Reads the output of `strace -f -ttt -y`: writes to the database file and the sockets, in order. */
export function readTrace(text: string, marks: TraceMarks): TracedCall[] {
  return text.split('\n').flatMap((line): TracedCall[] => {
    const [, thread = '', time = '', call = ''] = LINE.exec(line) ?? []
    const at = Number(time)
    if (FAILED.test(call)) return []
    if (SYNCS.test(call)) return WAL.test(call) ? [{ at, thread, kind: 'sync' }] : []
    if (!WRITES.test(call)) return []
    if (WAL.test(call)) return [{ at, thread, kind: 'wal_write' }]
    if (marks.order.test(call)) return [{ at, thread, kind: 'vendor_order' }]
    return marks.answer.test(call) ? [{ at, thread, kind: 'answer' }] : []
  })
}

/**
 * Errors in the order of events of one booking: its intent must be written and synced before the vendor is called, its result
 * before the client is answered.
 */
export function durabilityFlaws(traced: readonly TracedCall[]): string[] {
  const { thread } = traced.find(({ kind }) => kind === 'vendor_order') ?? {}
  const calls = traced.filter((call) => call.thread === thread)
  const order = calls.findIndex(({ kind }) => kind === 'vendor_order')
  const answer = calls.findIndex(({ kind }, at) => kind === 'answer' && at > order)
  if (order < 0) return ['the vendor was never asked']
  if (answer < 0) return ['the client was never answered']
  return [
    ...unsynced(calls.slice(0, order)).map((flaw) => `before the vendor call: ${flaw}`),
    ...unsynced(calls.slice(order + 1, answer)).map((flaw) => `before the answer: ${flaw}`),
  ]
}

function unsynced(calls: readonly TracedCall[]): string[] {
  const written = calls.findLastIndex(({ kind }) => kind === 'wal_write')
  if (written < 0) return ['nothing was written']
  return calls.slice(written).some(({ kind }) => kind === 'sync') ? [] : ['what was written was not synced']
}
