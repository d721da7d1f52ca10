/** Bookings that this tab opened with the link of a mail. Their session is an HttpOnly cookie; this only remembers that it exists. */
const keyOf = (bookingId: string) => `serai.opened.${bookingId}`

/** Ignored if storage is blocked: the booking then opens with the account or guest session, if at all. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}

export const isOpened = (bookingId: string): boolean =>
  withStorage((storage) => storage.getItem(keyOf(bookingId)) !== null) ?? false

export const rememberOpened = (bookingId: string): void =>
  withStorage((storage) => storage.setItem(keyOf(bookingId), 'yes'))

export const forgetOpened = (bookingId: string): void => withStorage((storage) => storage.removeItem(keyOf(bookingId)))

/** Token of the link that was followed; in the fragment, which is never sent to a server. */
export const readLinkToken = (): string | undefined => /^#(srl_.+)$/.exec(location.hash)?.[1]

/** Removes the token from the address and the history. */
export const removeLinkToken = (): void => history.replaceState(history.state, '', location.pathname + location.search)
