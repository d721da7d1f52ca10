/** Reads from a prompt without echo, or from piped standard input. Never from the arguments: `ps` shows them. */
export async function readPassword(question = 'Password: '): Promise<string> {
  return process.stdin.isTTY ? prompt(question) : firstLine()
}

async function firstLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  return text.split(/\r?\n/, 1)[0] ?? ''
}

function prompt(question: string): Promise<string> {
  const { stdin, stdout } = process
  stdout.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let typed = ''
    const onData = (text: string) => {
      for (const char of text) {
        if (char === '\u0003') return finish(() => reject(new Error('Interrupted.')))
        if (char === '\r' || char === '\n') return finish(() => resolve(typed))
        typed = char === '\u007f' ? typed.slice(0, -1) : typed + char
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
