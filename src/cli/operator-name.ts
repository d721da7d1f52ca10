import { userInfo } from 'node:os'

/** Name of the operating system's user. In a container the user may have an id but no name; then the lookup throws. */
export function operatorName(user: () => { readonly username: string } = userInfo): string {
  try {
    return user().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
