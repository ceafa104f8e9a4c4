// The program inside a package (`npm run package:agent`): the agent in one file, with everything it is made of.
import { isSea } from 'node:sea'
import { runAgentCli } from '../run-agent-cli.ts'

const program = isSea() ? [process.execPath] : [process.execPath, ...process.execArgv, process.argv[1]!]

void runAgentCli(process.argv.slice(2), { program }).then((code) => {
  process.exitCode = code
})
