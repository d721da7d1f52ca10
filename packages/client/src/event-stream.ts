export type ServerEvent = { readonly event: string; readonly data: string }

/** Reads server-sent events from a body. `EventSource` can neither POST nor send headers. */
export async function* readEvents(body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await withTimeout(reader.read(), idleMs)
      rest += decoder.decode(value, { stream: !done }).replaceAll('\r', '')
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const read = readBlock(block)
        if (read !== undefined) yield read
      }
      if (done) return
    }
  } finally {
    // Cancelling also closes the connection to the service.
    await reader.cancel().catch(() => undefined)
  }
}

function readBlock(block: string): ServerEvent | undefined {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim()
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') }
}

export class StreamIdleError extends Error {}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StreamIdleError()), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
