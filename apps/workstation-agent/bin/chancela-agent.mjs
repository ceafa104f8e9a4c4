#!/usr/bin/env node
import { runAgentCli } from '../dist/index.js'

process.exitCode = await runAgentCli(process.argv.slice(2))
