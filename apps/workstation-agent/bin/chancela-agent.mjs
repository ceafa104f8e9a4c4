#!/usr/bin/env node
// What Node tells developers is nothing a holder can do something about.
process.removeAllListeners('warning')

const { runAgentCli } = await import('@chancela/workstation-agent')

process.exitCode = await runAgentCli(process.argv.slice(2))
