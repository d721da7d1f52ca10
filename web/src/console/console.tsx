import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useAddress } from '../browser/router.ts'
import { EnglishOnly } from '../i18n/i18n.tsx'
import { askForSignIn, useSession } from '../session/session.ts'
import { usePageConfig } from '../session/use-page-config.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Failure } from '../ui/failure.tsx'
import { FindBox } from './find/find-box.tsx'
import { ConsolePage } from './parts/console-page.tsx'
import type { SectionProps } from './section-props.ts'
import { SECTIONS } from './sections.ts'

const VIEWS = new Map<string, ComponentType<SectionProps>>(SECTIONS.map(({ path, load }) => [path, lazy(load)]))

/** For operators. The service checks the role on every call; the page only decides what to show. */
export default function Console() {
  return (
    <EnglishOnly>
      <OperatorsOnly>
        <div className="mx-auto grid w-full max-w-[120rem] lg:grid-cols-[12rem_minmax(0,1fr)]">
          <Navigation />
          <Suspense fallback={<p className="min-h-dvh p-6 text-muted">Loading …</p>}>
            <OpenSection />
          </Suspense>
        </div>
      </OperatorsOnly>
    </EnglishOnly>
  )
}

function OperatorsOnly({ children }: { children: ReactNode }) {
  const config = usePageConfig()
  const { session, asking } = useSession()
  const wasAdmitted = useRef(false)
  if (session !== undefined) wasAdmitted.current = session.account.role === 'operator'
  if (config.isPending) return <p className="min-h-dvh p-6 text-muted">Loading …</p>
  // Keeps what was entered while an operator signs in again after the session has expired.
  if (session === undefined && asking === 'expired' && wasAdmitted.current) return children
  if (session === undefined && config.isError)
    return (
      <ConsolePage title="Console">
        <Failure error={config.error} onRetry={() => config.refetch()} />
      </ConsolePage>
    )
  if (session === undefined)
    return (
      <ConsolePage title="Console">
        <EmptyState title="Sign in to continue" text="The console is for accounts with the role operator.">
          <button type="button" className="btn btn-primary" onClick={askForSignIn}>
            Sign in
          </button>
        </EmptyState>
      </ConsolePage>
    )
  if (session.account.role !== 'operator')
    return (
      <ConsolePage title="Console">
        <EmptyState
          title="This account is not an operator"
          text={`${session.account.email} has the role ${session.account.role}. An administrator can change it with “serai accounts role”. You can also sign out and use another account.`}
        />
      </ConsolePage>
    )
  return children
}

/** Parts of the path after `/console`. */
function usePathParts(): readonly string[] {
  const { path } = useAddress()
  return path.split('/').slice(2).filter(Boolean).map(decodePart)
}

/** One scrolling row on narrow screens, to save height. */
function Navigation() {
  const [open = SECTIONS[0]?.path] = usePathParts()
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = row
    const link = current?.querySelector<HTMLElement>(`[href="/console/${open}"]`)
    if (!current || !link) return
    // Observed, because a window that is turned or made narrower has a row only then.
    const observer = new ResizeObserver(() => {
      current.scrollLeft = link.offsetLeft - current.offsetLeft
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [open])
  return (
    <nav
      aria-label="Console"
      className="no-print min-w-0 border-line bg-sunk p-3 text-sm max-lg:border-b lg:min-h-dvh lg:border-r lg:py-6"
    >
      <FindBox />
      <div
        ref={row}
        className="flex gap-1 max-lg:mt-1 max-lg:overflow-x-auto max-lg:pr-8 max-lg:[mask-image:linear-gradient(to_right,black_calc(100%-2rem),transparent)] max-lg:[scrollbar-width:thin] lg:flex-col"
      >
        {SECTIONS.filter(({ title }) => title !== undefined).map(({ path, title }) => (
          <a
            key={path}
            href={`/console/${path}`}
            aria-current={path === open ? 'page' : undefined}
            className="flex min-h-11 items-center rounded-md px-3 whitespace-nowrap hover:bg-surface focus-visible:-outline-offset-3 aria-[current]:bg-surface aria-[current]:font-semibold aria-[current]:text-accent-strong lg:min-h-9"
          >
            {title}
          </a>
        ))}
      </div>
    </nav>
  )
}

function OpenSection() {
  const { path } = useAddress()
  const [name = SECTIONS[0]?.path ?? '', ...rest] = usePathParts()
  const View = VIEWS.get(name)
  if (View !== undefined) return <View key={path} rest={rest} />
  return (
    <ConsolePage title="No such section">
      <p className="text-muted">The console has no section “{name}”. Choose one from the navigation.</p>
    </ConsolePage>
  )
}

/** Returns invalid percent-encoding unchanged. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
