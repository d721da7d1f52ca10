import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sendBookingLink } from '../api/operations.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { useSession } from '../session/session.ts'
import { usePageConfig } from '../session/use-page-config.ts'
import { Form, FormProblem, useForm } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextField } from '../ui/text-field.tsx'

/** For visitors without an account: has the link to a booking mailed again. Not shown if the service sends no mails. */
export function FindBooking() {
  const { session } = useSession()
  const { data } = usePageConfig()
  return session === undefined && data?.mail === true ? <FindBookingForm /> : null
}

function FindBookingForm() {
  const { t } = useI18n()
  const [reference, setReference] = useState('')
  const [email, setEmail] = useState('')
  const send = useMutation({ mutationFn: () => sendBookingLink(reference.trim(), email.trim()) })
  const form = useForm({
    isBusy: send.isPending,
    error: send.error,
    check: () => ({
      'find-reference': reference.trim() === '' ? t('field_missing') : undefined,
      'find-email': /^\S+@\S+$/.test(email.trim()) ? undefined : t('field_not_an_email'),
    }),
    send: () => send.mutate(),
  })
  return (
    <section className="card mt-8 max-w-xl p-6" aria-labelledby="find-booking">
      <h2 id="find-booking" className="text-xl">
        {t('find_booking_title')}
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t('find_booking_text')}</p>
      <Form form={form} className="flex flex-col gap-4">
        <TextField
          id="find-reference"
          label={t('find_booking_reference')}
          value={reference}
          onValue={setReference}
          autoComplete="off"
        />
        <TextField
          id="find-email"
          type="email"
          label={t('email')}
          value={email}
          onValue={setEmail}
          autoComplete="email"
          maxLength={254}
        />
        <FormProblem form={form} />
        {send.isSuccess && (
          <Notice tone="good" role="status">
            {t('find_booking_sent')}
          </Notice>
        )}
        <button type="submit" className="btn btn-primary self-start" aria-disabled={send.isPending}>
          {t('find_booking_send')}
        </button>
      </Form>
    </section>
  )
}
