import type { ReactNode } from 'react'
import { Page } from '../../ui/page.tsx'

type Props = {
  title: string
  intro?: ReactNode
  actions?: ReactNode
  /** See `Page`. */
  focusKey?: string
  children: ReactNode
}

/** Layout of every console view: window title, heading, focus after navigation. */
export function ConsolePage({ title, intro, actions, focusKey, children }: Props) {
  const frame = {
    title: title === 'Console' ? title : `${title} · Console`,
    className: 'min-w-0 px-4 py-6 text-sm sm:px-6 lg:px-8',
  }
  return (
    <Page {...frame} {...(focusKey === undefined ? {} : { focusKey })}>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h1 className="text-2xl">{title}</h1>
          {intro !== undefined && <p className="max-w-prose text-muted">{intro}</p>}
        </div>
        {actions}
      </div>
      {children}
    </Page>
  )
}

export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card min-w-0 p-4">
      <h2 className="mb-2 text-lg">{title}</h2>
      {children}
    </section>
  )
}
