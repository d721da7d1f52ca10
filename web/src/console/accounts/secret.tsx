import { Notice } from '../../ui/notice.tsx'
import { Copyable } from '../parts/copyable.tsx'

export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <Notice tone="warn" role="status">
      {label}: <Copyable what={label.toLowerCase()} text={value} />
      <span className="block">Copy it now. It will not be shown again.</span>
    </Notice>
  )
}
