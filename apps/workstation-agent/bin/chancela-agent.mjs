#!/usr/bin/env node
import { runAgentCli } from '@chancela/workstation-agent'

process.exitCode = await runAgentCli(process.argv.slice(2))
