import { userInfo } from 'node:os'

/** Who runs the command: the operating system's user. In a container it may have a number but no name, and then the look-up throws. */
export function operatorName(user: () => { readonly username: string } = userInfo): string {
  try {
    return user().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
