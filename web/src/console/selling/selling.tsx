import { useQuery } from '@tanstack/react-query'
import { callApi, serai } from '../../api/client.ts'
import { useAddress } from '../../browser/router.ts'
import { Failure } from '../../ui/failure.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { SectionTabs } from '../parts/section-tabs.tsx'
import type { SectionProps } from '../section-props.ts'
import { RulesView } from './rules-view.tsx'
import { Statements } from './statements.tsx'
import { rulesKey, Versions } from './versions.tsx'

const SELLING_PATH = '/console/selling'
const TABS = [
  [SELLING_PATH, 'Rules and trial'],
  [`${SELLING_PATH}/versions`, 'Versions'],
  [`${SELLING_PATH}/statements`, 'Statements'],
] as const

export default function SellingSection({ rest: [view = ''] }: SectionProps) {
  return (
    <ConsolePage title="Selling" intro="Rules that turn net prices into selling prices, and statements of sales.">
      <SectionTabs label="Selling" tabs={TABS} open={view === '' ? SELLING_PATH : `${SELLING_PATH}/${view}`} />
      {view === 'statements' ? <Statements /> : <LoadedRules isVersions={view === 'versions'} />}
    </ConsolePage>
  )
}

function LoadedRules({ isVersions }: { isVersions: boolean }) {
  const { query } = useAddress()
  const rules = useQuery({ queryKey: rulesKey, queryFn: () => callApi(serai.operator.sellingRules()), staleTime: 0 })
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
