#!/usr/bin/env node
import { runCli } from '@chancela/cli'

process.exitCode = await runCli(process.argv.slice(2))
