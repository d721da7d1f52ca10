import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Command, print } from '../command.ts'
import { withApp } from '../with-app.ts'

const USAGE = `serai mcp     serves the Model Context Protocol over standard input and output, for an agent on this machine

SERAI_MCP_TOKEN is the API key or token of the account that the agent acts for. Uses the database and vendors of this
installation. A service may run at the same time; it settles bookings that are left open. See docs/agents.md.`

export const mcpCommand: Command = {
  usage: USAGE,
  async run(args) {
    parseArgs({ args })
    return withApp(async (app, config) => {
      const createServer = config.mcp.token === undefined ? undefined : await app.operator.mcpFor(config.mcp.token)
      if (createServer === undefined)
        return print(
          'SERAI_MCP_TOKEN is not set, unknown, expired or revoked. Set it to an API key or token of an account.',
          1,
        )
      const serving = serveStdio(createServer, { onerror: (error) => console.error(error.message) })
      await once(process.stdin, 'end')
      await serving.close()
      return 0
    })
  },
}
