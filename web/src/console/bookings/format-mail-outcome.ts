/** Without a mail server, mails are kept for display and not sent. */
export const formatMailOutcome = (outcome: string | null): string =>
  outcome === 'kept' ? 'not sent, no mail server' : (outcome ?? 'waiting')
