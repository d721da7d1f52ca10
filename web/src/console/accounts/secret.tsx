import { Notice } from '../../ui/notice.tsx'
import { Code } from '../parts/facts.tsx'

export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <Notice tone="warn" role="status">
      {label}: <Code>{value}</Code>
      <span className="block">Copy it now. It will not be shown again.</span>
    </Notice>
  )
}
