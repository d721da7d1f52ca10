import type { ReactNode } from 'react'

/** Message in place of a list, with a next step. */
export function EmptyState({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className="card flex flex-col items-start gap-3 p-6 sm:p-8">
      <h2 className="text-xl">{title}</h2>
      {text !== undefined && <p className="max-w-prose text-muted">{text}</p>}
      {children}
    </div>
  )
}
