import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { signIn } from '../api/operations.ts'
import { ApiProblem } from '../api/problem.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Modal } from '../ui/modal.tsx'
import { Notice, useProblemText } from '../ui/notice.tsx'
import { TextField } from '../ui/text-field.tsx'
import { declineSignIn, useSession } from './session.ts'
import { usePageConfig } from './use-page-config.ts'

/** Opens over the page, which keeps everything that was entered. */
export function SignInDialog() {
  const { t } = useI18n()
  const { asking } = useSession()
  const { data } = usePageConfig()
  return (
    <Modal title={t('sign_in_title')} isOpen={asking !== false} onClose={declineSignIn}>
      {asking !== 'wanted' && (
        <p className="mb-4 text-sm text-muted">{t(asking === 'expired' ? 'sign_in_expired' : 'sign_in_needed')}</p>
      )}
      <SignInForm />
      <p className="mt-4 text-xs text-muted">
        {t('sign_in_accounts')} {data?.guests === 'book' && t('sign_in_guests')}
      </p>
    </Modal>
  )
}

/** In development the demo account is filled in. */
function useSignInForm() {
  const { t } = useI18n()
  const { data } = usePageConfig()
  const client = useQueryClient()
  const demo = data?.demo ?? null
  const [email, setEmail] = useState(demo?.email ?? '')
  const [password, setPassword] = useState(demo?.password ?? '')
  const [code, setCode] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    setEmail((typed) => typed || (demo?.email ?? ''))
    setPassword((typed) => typed || (demo?.password ?? ''))
  }, [demo])

  async function send() {
    setBusy(true)
    setError(undefined)
    try {
      await signIn(email.trim(), password, code?.trim())
      // The account's bookings differ from the guest's.
      await Promise.all(
        ['bookings', 'booking', 'cancel-preview'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      )
    } catch (failure) {
      if (asksForCode(failure)) setCode('')
      else setError(failure)
      setBusy(false)
    }
  }

  const missing = (value: string | undefined) => (value?.trim() === '' ? t('field_missing') : undefined)
  const check = () => ({
    'sign-in-email': missing(email),
    'sign-in-password': missing(password),
    'sign-in-code': missing(code),
  })
  const form = useForm({ check, send, isBusy: busy })
  return { form, demo, email, setEmail, password, setPassword, code, setCode, busy, error }
}

/** The password was correct, and the account needs a one-time code. */
const asksForCode = (failure: unknown): boolean => failure instanceof ApiProblem && failure.code === 'totp_required'

const isWrongCredentials = (failure: unknown): boolean =>
  failure instanceof ApiProblem && failure.code === 'invalid_credentials'

function SignInForm() {
  const { t } = useI18n()
  const problemText = useProblemText()
  const { form, demo, email, setEmail, password, setPassword, code, setCode, busy, error } = useSignInForm()
  return (
    <Form form={form} className="flex flex-col gap-4">
      <TextField
        id="sign-in-email"
        type="email"
        label={t('email')}
        value={email}
        onValue={setEmail}
        autoComplete="username"
        maxLength={254}
      />
      <TextField
        id="sign-in-password"
        type="password"
        label={t('password')}
        value={password}
        onValue={setPassword}
        autoComplete="current-password"
        maxLength={1000}
      />
      {code !== undefined && <CodeField code={code} onCode={setCode} />}
      {demo !== null && <p className="text-xs text-muted">{t('demo_filled')}</p>}
      {error !== undefined && (
        <Notice tone="bad" role="alert">
          {code !== undefined && isWrongCredentials(error) ? t('code_wrong') : problemText(error)}
        </Notice>
      )}
      <button type="submit" className="btn btn-primary" aria-disabled={busy}>
        {busy ? t('signing_in') : t('sign_in')}
      </button>
    </Form>
  )
}

function CodeField({ code, onCode }: { code: string; onCode(code: string): void }) {
  const { t } = useI18n()
  return (
    <TextField
      id="sign-in-code"
      label={t('one_time_code')}
      value={code}
      onValue={onCode}
      autoComplete="one-time-code"
      maxLength={16}
    />
  )
}
