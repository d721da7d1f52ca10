import { useI18n } from '../i18n/i18n.tsx'
import { Notice } from '../ui/notice.tsx'
import { LazySearchForm } from './search-form-lazy.tsx'
import { type LinkFault, type StayForm, type StayLink, toStayForm } from './stay-form.ts'

/** Explains what is wrong with a link and keeps its valid parts. */
export function LinkProblem({ link, onSearch }: { link: StayLink; onSearch(form: StayForm): void }) {
  const { t } = useI18n()
  return (
    <>
      <h1 className="mb-4 text-3xl">{t('link_title')}</h1>
      <div className="mb-6">
        <FaultList faults={link.faults} />
      </div>
      <LazySearchForm initial={toStayForm(link)} onSearch={onSearch} />
    </>
  )
}

export function FaultList({ faults, more }: { faults: readonly LinkFault[]; more?: string }) {
  const { t } = useI18n()
  return (
    <Notice tone="warn" role="status">
      <ul>
        {faults.map((fault) => (
          <li key={fault}>{t(fault)}</li>
        ))}
        {more !== undefined && <li>{more}</li>}
      </ul>
    </Notice>
  )
}
