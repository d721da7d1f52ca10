import { useState } from 'react'
import { Code } from './facts.tsx'

const CONFIRMED_MS = 2_000

/** A code with a button that copies it. `what` names the code for screen readers. */
export function Copyable({ what, text }: { what: string; text: string }) {
  const [result, setResult] = useState<'Copied' | 'Not copied'>()
  const copy = async () => {
    // Browsers offer the clipboard only to secure pages.
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setResult(copied ? 'Copied' : 'Not copied')
    setTimeout(() => setResult(undefined), CONFIRMED_MS)
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Code>{text}</Code>
      <button
        type="button"
        className="link min-h-6 px-1 text-xs max-sm:-my-3"
        aria-label={`Copy ${what}`}
        onClick={copy}
      >
        Copy
      </button>
      <span role="status" className="text-xs text-muted">
        {result}
      </span>
    </span>
  )
}
