import type { VendorReport } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { vendorName } from './badges.tsx'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'

type Props = { vendors: readonly VendorReport[]; isRunning: boolean }

/** Which vendors have answered. Fixed height, so late answers do not move the page. */
export function VendorProgress({ vendors, isRunning }: Props) {
  const { t } = useI18n()
  return (
    <div className="relative flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted" aria-hidden="true">
      {vendors.map((report) => (
        <span key={report.vendor_id} className="inline-flex items-center gap-1.5">
          {report.status === 'ok' ? (
            <Icon name="check" className="size-3.5 text-good" />
          ) : (
            <Icon name="warning" className="size-3.5 text-warn" />
          )}
          {report.status === 'ok'
            ? t('vendor_answered', { vendor: vendorName(report.vendor_id), n: report.properties })
            : t(`vendor_${report.status}`, { vendor: vendorName(report.vendor_id) })}
        </span>
      ))}
      {isRunning && (
        <>
          <span>{t('searching')}</span>
          <span className="absolute inset-x-0 -bottom-1 h-0.5 overflow-hidden rounded-full bg-line">
            <span className="block h-full w-2/5 animate-[slide_1.4s_ease-in-out_infinite] rounded-full bg-accent" />
          </span>
        </>
      )}
    </div>
  )
}

/** Names the vendors whose prices are missing. */
export function MissingVendors({ vendors, onRetry }: { vendors: readonly VendorReport[]; onRetry(): void }) {
  const { t } = useI18n()
  const missing = vendors.flatMap(({ vendor_id, status }) =>
    status === 'ok' || status === 'skipped' ? [] : [{ vendor_id, status } as const],
  )
  if (missing.length === 0) return null
  const names = missing.map(({ vendor_id, status }) => t(`vendor_${status}`, { vendor: vendorName(vendor_id) }))
  return (
    <Notice
      tone="warn"
      role="status"
      action={
        <button type="button" className="btn btn-quiet" onClick={onRetry}>
          {t('try_again')}
        </button>
      }
    >
      {t('missing_vendors', { vendors: names.join(', ') })}
    </Notice>
  )
}
