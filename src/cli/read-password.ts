/** Prompts without echo, or reads piped standard input. Never an argument: `ps` would show it. */
export async function readPassword(question = 'Password: '): Promise<string> {
  return process.stdin.isTTY ? prompt(question) : firstLine()
}

async function firstLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  return text.split(/\r?\n/, 1)[0] ?? ''
}

const CTRL_C = '\u0003'
/** Return and Ctrl-D. */
const ENDS = ['\r', '\n', '\u0004']
const ERASES = ['\u007f', '\u0008']
const INTERRUPTED = 130

function prompt(question: string): Promise<string> {
  const { stdin, stdout } = process
  stdout.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  return new Promise((resolve) => {
    let typed = ''
    const onData = (text: string) => {
      for (const char of text) {
        if (char === CTRL_C) return finish(() => process.exit(INTERRUPTED))
        if (ENDS.includes(char)) return finish(() => resolve(typed))
        typed = ERASES.includes(char) ? [...typed].slice(0, -1).join('') : typed + char
      }
    }
    const finish = (end: () => void) => {
      stdin.setRawMode(false)
      stdin.pause()
      stdin.off('data', onData)
      stdout.write('\n')
      end()
    }
    stdin.on('data', onData)
    stdin.resume()
  })
}
