import { Notice } from '../../ui/notice.tsx'
import { Code } from '../parts/facts.tsx'

/** A password or key that is shown once. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <Notice tone="warn" role="status">
      {label}: <Code>{value}</Code>
      <span className="block">Keep it now: it is not shown again.</span>
    </Notice>
  )
}
