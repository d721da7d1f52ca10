import type { VendorReport } from '../generated/api-types.ts'
import { paint, stripControls } from './output.ts'

const REFRESH_MS = 120
const MARKS: Readonly<Record<string, string>> = { ok: '✓', partial: '~', skipped: '-' }

/** Prints one line per vendor; on a terminal also a running count. */
export function showSearchProgress(isQuiet: boolean) {
  const { stderr } = process
  const isLive = stderr.isTTY === true && !isQuiet
  const startedAt = performance.now()
  const vendors = new Map<string, VendorReport>()
  let found = 0
  let drawn = 0
  const draw = () => {
    const lines = [...vendors.values()].map(formatVendorLine)
    lines.push(`… ${found} found, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    stderr.write(`${drawn > 0 ? `\u001b[${drawn}A` : ''}${lines.map((line) => `\u001b[2K${line}\n`).join('')}`)
    drawn = lines.length
  }
  const timer = isLive ? setInterval(draw, REFRESH_MS) : undefined
  return {
    vendor(report: VendorReport) {
      vendors.set(report.vendor_id, report)
      if (isLive) draw()
      else if (!isQuiet) stderr.write(`${formatVendorLine(report)}\n`)
    },
    found(count: number) {
      found = count
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      if (isLive) draw()
    },
  }
}

function formatVendorLine({ vendor_id, status, properties, took_ms, reason }: VendorReport): string {
  const mark = MARKS[status] ?? '✗'
  const line = `${mark} ${stripControls(vendor_id).padEnd(16)} ${status.padEnd(8)} ${String(properties).padStart(5)} properties ${(took_ms / 1000).toFixed(1)} s`
  return `${paint(mark === '✗' ? 'red' : 'green', line)}${reason === undefined ? '' : ` (${stripControls(reason)})`}`
}
