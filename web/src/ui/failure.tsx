import { SignInDeclined } from '../api/problem.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { EmptyState } from './empty-state.tsx'
import { ProblemNotice } from './notice.tsx'

/** Explains a failure and offers the next step: sign in if that was declined, otherwise retry. */
export function Failure({ error, onRetry }: { error: Error; onRetry(): void }) {
  const { t } = useI18n()
  if (!(error instanceof SignInDeclined)) return <ProblemNotice error={error} onRetry={onRetry} />
  return (
    <EmptyState title={t('sign_in_to_go_on')} text={t('signed_out_text')}>
      <button type="button" className="btn btn-primary" onClick={onRetry}>
        {t('sign_in')}
      </button>
    </EmptyState>
  )
}
