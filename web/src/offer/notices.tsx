import type { Room } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'

export type Notice = Room['notices'][number]
type Place = Notice['required_at'][number]

/** Longer notices are collapsed. */
const MAX_SHORT_LENGTH = 220

export const selectNotices = (notices: readonly Notice[] = [], place: Place): Notice[] =>
  notices.filter(({ kind, required_at }) => kind !== 'vendor_terms' && required_at.includes(place))

/**
 * Notices required by a vendor, complete and in its own words. Capitals stay too: they are terms of a contract, and another
 * case would spoil names, abbreviations and some languages.
 */
export function NoticeList({ notices }: { notices: readonly Notice[] }) {
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {notices.map((notice) => (
        <li key={`${notice.kind} ${notice.title} ${notice.text}`}>
          <NoticeItem notice={notice} />
        </li>
      ))}
    </ul>
  )
}

function NoticeItem({ notice: { title: heading, title_code, text, url, language } }: { notice: Notice }) {
  const { t, named } = useI18n()
  const title = named(`notice_${title_code}`, heading)
  const body = (
    <p className="break-words whitespace-pre-line text-muted" dir="auto" lang={language ?? undefined}>
      {text}
      {url !== null && (
        <a className="link block" href={url} rel="noopener noreferrer" target="_blank">
          {url}
        </a>
      )}
    </p>
  )
  if (text.length <= MAX_SHORT_LENGTH)
    return (
      <>
        {title !== '' && <p className="font-semibold">{title}</p>}
        {body}
      </>
    )
  return (
    <details>
      <summary className="min-h-6 font-semibold">
        {title} <span className="link no-print font-normal">{t('notice_read')}</span>
      </summary>
      {body}
    </details>
  )
}

/** Shown next to the booking button. */
export function VendorTerms({ notices = [] }: { notices?: readonly Notice[] }) {
  const { t } = useI18n()
  const terms = notices.find(({ kind, url }) => kind === 'vendor_terms' && url !== null)
  if (terms?.url == null) return null
  return (
    <p className="mt-2 text-xs">
      <a className="link" href={terms.url} rel="noopener noreferrer" target="_blank">
        {t('vendor_terms')}
      </a>
    </p>
  )
}
