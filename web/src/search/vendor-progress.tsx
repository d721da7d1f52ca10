import type { VendorReport } from '../api/shapes.ts'
import { type I18n, useI18n } from '../i18n/i18n.tsx'
import { formatVendorName } from '../ui/badges.tsx'
import { Icon } from '../ui/icon.tsx'

type Gap = VendorReport & { readonly status: Exclude<VendorReport['status'], 'ok' | 'skipped'> }

type Props = { vendors: readonly VendorReport[]; isRunning: boolean }

/** Number of vendors, whose names are shown with their rooms. Fixed height, so that late responses do not move the page. */
export function VendorProgress({ vendors, isRunning }: Props) {
  const { t } = useI18n()
  const answered = vendors.filter(({ status }) => status === 'ok' || status === 'partial').length
  return (
    <div
      className="relative flex h-6 gap-x-4 overflow-hidden text-xs leading-6 whitespace-nowrap text-muted"
      aria-hidden="true"
    >
      {answered > 0 && (
        <span className="inline-flex h-6 items-center gap-1.5">
          <Icon name="check" className="size-3.5 text-good" />
          {t(isRunning ? 'sources_answered' : 'sources_compared', { n: answered })}
        </span>
      )}
      {isRunning && (
        <>
          <span>{t('searching')}</span>
          <span className="absolute inset-x-0 bottom-0 h-0.5 overflow-hidden rounded-full bg-line">
            <span className="block h-full w-2/5 animate-[slide_1.4s_ease-in-out_infinite] rounded-full bg-accent" />
          </span>
        </>
      )}
    </div>
  )
}

/** Names the gap in a vendor's results. */
function formatGap(t: I18n['t'], { vendor_id, status, reason }: Gap): string {
  const vendor = formatVendorName(vendor_id)
  return status === 'partial' && reason === 'rates_incomplete'
    ? t('vendor_rates', { vendor })
    : t(`vendor_${status}`, { vendor })
}

const isGap = (report: VendorReport): report is Gap => report.status !== 'ok' && report.status !== 'skipped'

export const hasMissingPrices = (vendors: readonly VendorReport[]): boolean => vendors.some(isGap)

/** Vendors that cannot be asked for the chosen conditions. Without a tone of alarm: nothing has failed. */
export function SkippedVendors({ vendors }: { vendors: readonly VendorReport[] }) {
  const { t, list } = useI18n()
  const names = vendors.flatMap(({ vendor_id, reason }) =>
    reason === 'condition_not_supported' ? formatVendorName(vendor_id) : [],
  )
  if (names.length === 0) return null
  return <p className="text-xs text-muted">{t('vendors_not_asked', { vendors: list(names), n: names.length })}</p>
}

/** Vendors whose prices are missing. Small, because the results matter more. */
export function MissingVendors({ vendors, onRetry }: { vendors: readonly VendorReport[]; onRetry(): void }) {
  const { t } = useI18n()
  if (!hasMissingPrices(vendors)) return null
  const names = vendors.filter(isGap).map((report) => formatGap(t, report))
  return (
    <p role="status" className="my-1 rounded-md bg-warn-wash px-3 py-0.5 text-xs text-warn max-sm:py-2">
      {t('missing_vendors', { vendors: names.join(', ') })}{' '}
      <button type="button" className="min-h-6 font-semibold underline max-sm:-my-3" onClick={onRetry}>
        {t('try_again')}
      </button>
    </p>
  )
}
