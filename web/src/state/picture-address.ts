const SANDBOX = '/sandbox/pictures/'

/**
 * Pictures of the sandbox come from this very server, under whatever name the page was opened (`localhost` is another
 * origin than `127.0.0.1`); those of real vendors from where the vendor says.
 */
export function pictureAddress(address: string): string {
  if (!address.includes(SANDBOX) || !URL.canParse(address, location.origin)) return address
  const { pathname, search } = new URL(address, location.origin)
  return pathname.startsWith(SANDBOX) ? pathname + search : address
}
