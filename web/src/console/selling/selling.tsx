import { useQuery } from '@tanstack/react-query'
import { resultOf, serai } from '../../api/client.ts'
import { useAddress } from '../../browser/router.ts'
import { Failure } from '../../ui/failure.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { SectionTabs } from '../parts/section-tabs.tsx'
import type { SectionProps } from '../section-props.ts'
import { RulesView } from './rules-view.tsx'
import { Statements } from './statements.tsx'
import { rulesKey, Versions } from './versions.tsx'

const ADDRESS = '/console/selling'
const TABS = [
  [ADDRESS, 'Rules and trial'],
  [`${ADDRESS}/versions`, 'Versions'],
  [`${ADDRESS}/statements`, 'Statements'],
] as const

/** What is added to the vendors' prices, and what was sold. */
export default function SellingSection({ rest: [view = ''] }: SectionProps) {
  return (
    <ConsolePage
      title="Selling"
      intro="The rules by which net prices become selling prices, and statements of what was sold."
    >
      <SectionTabs label="Selling" tabs={TABS} open={view === '' ? ADDRESS : `${ADDRESS}/${view}`} />
      {view === 'statements' ? <Statements /> : <WithRules isVersions={view === 'versions'} />}
    </ConsolePage>
  )
}

function WithRules({ isVersions }: { isVersions: boolean }) {
  const { query } = useAddress()
  const rules = useQuery({ queryKey: rulesKey, queryFn: () => resultOf(serai.operator.sellingRules()), staleTime: 0 })
  // If reloading fails, the rules and an unsaved draft stay visible.
  if (rules.data === undefined)
    return rules.isError ? (
      <Failure error={rules.error} onRetry={() => rules.refetch()} />
    ) : (
      <p className="text-muted">Loading …</p>
    )
  if (isVersions) return <Versions rules={rules.data} />
  return <RulesView rules={rules.data} booking={query.get('booking') ?? ''} />
}
