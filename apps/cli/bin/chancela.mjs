#!/usr/bin/env node
import { endSoon, runCli } from '@chancela/cli/command-line'

process.exitCode = await runCli(process.argv.slice(2), { onStopped: endSoon })
