import { userInfo } from 'node:os'

/** Who gives the command: the user of this machine. In a container that may be a number without a name, which the system refuses to tell. */
export function operatorName(user: () => { readonly username: string } = userInfo): string {
  try {
    return user().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
