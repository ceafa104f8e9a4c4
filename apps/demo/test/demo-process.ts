// The demo as a process of its own, as `npm start` runs it, on ports of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { cachedKeys, openDemoPki } from '@chancela/testkit/demo-pki'
import { freePort } from '@chancela/testkit/tools'
import { vi } from 'vitest'
import type { DemoFile } from '../src/demo-file.ts'

/** Ports that must be known before any server listens, because other services' addresses contain them. */
export type DemoPorts = Readonly<
  Record<'pki' | 'cloud' | 'hub' | 'platform' | 'credentials' | 'core' | 'sessions' | 'home' | 'mailbox', number>
>

export const freePorts = async (): Promise<DemoPorts> => ({
  pki: await freePort(),
  cloud: await freePort(),
  hub: await freePort(),
  platform: await freePort(),
  credentials: await freePort(),
  core: await freePort(),
  sessions: await freePort(),
  home: await freePort(),
  mailbox: await freePort(),
})

export interface Demo {
  readonly folder: string
  output(): string
  file(): DemoFile
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** A new data folder with a PKI, whose keys the whole test run shares: generating RSA-4096 keys takes seconds. */
export async function preparedFolder(ports: DemoPorts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-demo-'))
  await openDemoPki(join(folder, 'demo-pki', 'pki'), {
    baseUrl: `http://localhost:${ports.pki}`,
    clock: systemClock,
    keys: cachedKeys(),
  })
  return folder
}

/** Starts a demo; the caller stops it. */
export async function startDemo(folder: string, ports: DemoPorts): Promise<Demo> {
  const { child, output, exit } = launchDemo(folder, ports)
  let isOver = false
  void exit.then(() => {
    isOver = true
  })
  await vi.waitUntil(() => isOver || output().includes('Ctrl+C stops everything'), { interval: 50 })
  if (isOver) throw new Error(`The demo ended:\n${output()}`)
  return {
    folder,
    output,
    file: () => JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoFile,
    end: (signal) => {
      child.kill(signal)
      return exit
    },
  }
}

// Compiled, as `npm start` runs it: from source a process takes seconds to load.
const program = `import { runDemo } from ${JSON.stringify(join(import.meta.dirname, '../dist/main.js'))}; process.exitCode = await runDemo(process.argv.slice(1))`

/** A demo that is starting. */
function launchDemo(folder: string, ports: DemoPorts) {
  const node = ['--input-type=module', '--eval', program, '--']
  const child = spawn(process.execPath, [...node, '--data', folder], {
    env: { ...process.env, ...settingsFor(ports) },
  })
  const chunks: string[] = []
  child.stdout.on('data', (chunk) => chunks.push(String(chunk)))
  child.stderr.on('data', (chunk) => chunks.push(String(chunk)))
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, output: () => chunks.join(''), exit }
}

/** Its environment variables. */
export const settingsFor = (ports: DemoPorts): Readonly<Record<string, string>> => ({
  CHANCELA__DEMO_PKI__HTTP__PORT: String(ports.pki),
  CHANCELA__DEMO_CLOUD__HTTP__PORT: String(ports.cloud),
  CHANCELA__CLOUD_HUB__HTTP__PORT: String(ports.hub),
  CHANCELA__CLOUD_HUB__HTTP__PUBLICURL: `http://localhost:${ports.hub}`,
  CHANCELA__DOCUMENT_PLATFORM__HTTP__PORT: String(ports.platform),
  CHANCELA__DOCUMENT_PLATFORM__HTTP__PUBLICURL: `http://localhost:${ports.platform}`,
  CHANCELA__DOCUMENT_PLATFORM__EMAIL__PORT: String(ports.mailbox),
  CHANCELA__CREDENTIAL_PLATFORM__HTTP__PORT: String(ports.credentials),
  CHANCELA__CREDENTIAL_PLATFORM__HTTP__PUBLICURL: `http://localhost:${ports.credentials}`,
  CHANCELA__CREDENTIAL_PLATFORM__SIGNING__TIMESTAMPAUTHORITY: `http://localhost:${ports.pki}/tsa`,
  CHANCELA__DOCUMENT_PLATFORM__SIGNING__TIMESTAMPAUTHORITY: `http://localhost:${ports.pki}/tsa`,
  CHANCELA__PKI_CORE__SIGNATURES__TIMESTAMPAUTHORITY: `http://localhost:${ports.pki}/tsa`,
  CHANCELA__BATCH_SIGNER__SIGNING__TIMESTAMPAUTHORITY: `http://localhost:${ports.pki}/tsa`,
  CHANCELA__PKI_CORE__HTTP__PORT: String(ports.core),
  CHANCELA__SESSION_SERVER__HTTP__PORT: String(ports.sessions),
  CHANCELA__HOME__HTTP__PORT: String(ports.home),
  CHANCELA__HOME__MAILBOX__PORT: String(ports.mailbox),
  // No other service needs these ports in advance.
  CHANCELA__BATCH_SIGNER__HTTP__PORT: '0',
  CHANCELA__BATCH_SIGNER__COMPACT__PORT: '0',
  CHANCELA__CLOUD_HUB__CONSOLE__PORT: '0',
  CHANCELA__PKI_CORE__CONSOLE__PORT: '0',
  CHANCELA__SESSION_SERVER__CONSOLE__PORT: '0',
})
