const SANDBOX_PATH = '/sandbox/pictures/'

/** Sandbox pictures use the page's own host: `localhost` and `127.0.0.1` are different origins. */
export function toPictureUrl(address: string): string {
  if (!address.includes(SANDBOX_PATH) || !URL.canParse(address, location.origin)) return address
  const { pathname, search } = new URL(address, location.origin)
  return pathname.startsWith(SANDBOX_PATH) ? pathname + search : address
}
