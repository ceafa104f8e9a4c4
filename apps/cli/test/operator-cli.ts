// Command lines of operators over services that are not running.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloudHub } from '@chancela/cloud-hub'
import { sessionServer } from '@chancela/session-server'
import { sampleService } from '@chancela/testkit/sample-service'
import { onTestFinished } from 'vitest'
import { type CommandContext, runCli } from '../src/index.ts'

/** Runs one command line over the services that have operators and one that has none. */
export async function cli(args: readonly string[], changes: Partial<CommandContext> = {}) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(args, {
    services: [sampleService, sessionServer, cloudHub],
    print: (text) => void out.push(text),
    log: (text) => void err.push(text),
    ...changes,
    environment: {
      CHANCELA__SESSION_SERVER__AUTH__PASSWORDCOST: '10',
      CHANCELA__CLOUD_HUB__AUTH__PASSWORDCOST: '10',
      ...changes.environment,
    },
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-operator-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []
