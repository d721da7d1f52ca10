const SANDBOX = '/sandbox/pictures/'

/**
 * The sandbox's pictures come from this server, under the host name the page was opened with (`localhost` and
 * `127.0.0.1` are different origins). Real vendors' pictures keep their address.
 */
export function pictureAddress(address: string): string {
  if (!address.includes(SANDBOX) || !URL.canParse(address, location.origin)) return address
  const { pathname, search } = new URL(address, location.origin)
  return pathname.startsWith(SANDBOX) ? pathname + search : address
}
