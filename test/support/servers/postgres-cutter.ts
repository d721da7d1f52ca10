import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Before PostgreSQL gets the statement, or after it has executed it. */
type Side = 'before' | 'after'
export type Cut = {
  /** Number of the statement, from 1. */
  readonly statement: number
  readonly side: Side
  /** Refuses all connections from then on, until `heal`; otherwise only this one breaks. */
  readonly stays: boolean
}

/** A proxy in front of PostgreSQL that counts statements and breaks the connection at a chosen one. */
export async function startCutter(target: string) {
  const { hostname, port } = new URL(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  let cut: Cut | undefined
  let count = 0
  let isDown = false

  /** Returns the side on which the connection breaks at this statement. */
  function countStatement(): Side | undefined {
    count += 1
    return cut?.statement === count ? cut.side : undefined
  }
  const isCut = (): boolean => cut !== undefined && count >= cut.statement
  function breakOff(pair: readonly [Socket, Socket]): void {
    isDown = cut?.stays === true
    for (const socket of isDown ? [...pairs].flat() : pair) socket.destroy()
  }

  const server = createServer((client) => {
    if (isDown) return void client.destroy()
    const upstream = connect(Number(port), hostname)
    const pair = [client, upstream] as const
    pairs.add(pair)
    let isBreaking = false
    const read = statementReader(countStatement)
    client.on('data', (chunk: Buffer) => {
      for (const { bytes, side } of read(chunk)) {
        if (side === 'before') return breakOff(pair)
        isBreaking ||= side === 'after'
        upstream.write(bytes)
      }
    })
    upstream.on('data', (chunk) => (isBreaking ? breakOff(pair) : client.write(chunk)))
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    /** Restarts the count. */
    arm(next: Cut): void {
      cut = next
      count = 0
    },
    /** True if the connection was cut since `arm`. */
    isCut,
    /** Accepts connections again. Returns true if the connection was cut since `arm`. */
    heal(): boolean {
      const wasCut = isCut()
      cut = undefined
      isDown = false
      return wasCut
    },
    async close(): Promise<void> {
      for (const socket of [...pairs].flat()) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

type Piece = { readonly bytes: Buffer; readonly side: Side | undefined }

/**
 * Splits the client's bytes into whole statements: a simple query (`Q`), or the messages of a prepared one up to its
 * synchronisation (`S`). The first message has no type.
 */
function statementReader(countStatement: () => Side | undefined): (chunk: Buffer) => Piece[] {
  let rest = Buffer.alloc(0)
  let statement: Buffer[] = []
  let isStarted = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const pieces: Piece[] = []
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return pieces
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return pieces
      const type = isStarted ? String.fromCharCode(rest[0] ?? 0) : 'startup'
      statement.push(rest.subarray(0, length))
      rest = rest.subarray(length)
      isStarted = true
      if ('PBDECH'.includes(type)) continue
      const side = type === 'Q' || type === 'S' ? countStatement() : undefined
      pieces.push({ bytes: Buffer.concat(statement), side })
      statement = []
    }
  }
}
