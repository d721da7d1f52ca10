/** One system call of a trace that matters for durability. */
export type TracedCall = {
  /** Start time in seconds since the epoch. */
  readonly at: number
  /** Calls of one thread are in order. */
  readonly thread: string
  readonly kind: 'wal_write' | 'sync' | 'vendor_order' | 'answer'
}

type TraceMarks = {
  /** Start of the write of the vendor's booking request, as strace prints it. */
  readonly order: RegExp
  /** Start of the write of our answer to the client. */
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
 * Durability errors of one booking: its intent must be written and synced before the vendor is called, and its result
 * before the client is answered.
 */
export function findDurabilityFlaws(traced: readonly TracedCall[]): string[] {
  const { thread } = traced.find(({ kind }) => kind === 'vendor_order') ?? {}
  const calls = traced.filter((call) => call.thread === thread)
  const order = calls.findIndex(({ kind }) => kind === 'vendor_order')
  const answer = calls.findIndex(({ kind }, index) => kind === 'answer' && index > order)
  if (order < 0) return ['the vendor was never asked']
  if (answer < 0) return ['the client was never answered']
  return [
    ...findUnsynced(calls.slice(0, order)).map((flaw) => `before the vendor call: ${flaw}`),
    ...findUnsynced(calls.slice(order + 1, answer)).map((flaw) => `before the answer: ${flaw}`),
  ]
}

function findUnsynced(calls: readonly TracedCall[]): string[] {
  const written = calls.findLastIndex(({ kind }) => kind === 'wal_write')
  if (written < 0) return ['nothing was written']
  return calls.slice(written).some(({ kind }) => kind === 'sync') ? [] : ['the last write was not synced']
}
