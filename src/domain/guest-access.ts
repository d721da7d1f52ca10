/** What visitors of the page may do without signing in. */
export type GuestAccess = 'off' | 'search' | 'book'
