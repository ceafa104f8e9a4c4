import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}

const folders: Readonly<Record<string, string>> = {
  '@chancela/signature-engine': 'packages/signature-engine',
  '@chancela/academic-documents': 'packages/academic-documents',
  '@chancela/service-kernel': 'packages/service-kernel',
  '@chancela/admin-console': 'packages/admin-console',
  '@chancela/outbox': 'packages/outbox',
  '@chancela/service-links': 'packages/service-links',
  '@chancela/batch-signer': 'services/batch-signer',
  '@chancela/cloud-hub': 'services/cloud-hub',
  '@chancela/credential-platform': 'services/credential-platform',
  '@chancela/document-platform': 'services/document-platform',
  '@chancela/pki-core': 'services/pki-core',
  '@chancela/session-server': 'services/session-server',
}

const declared = (folder: string): readonly string[] => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
  return Object.keys(manifest.dependencies ?? {})
}

/** The package and all its dependencies of ours. */
function closure(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (!(name in folders) || found.has(name)) return found
  found.add(name)
  for (const dependency of declared(folders[name]!)) closure(dependency, found)
  return found
}

/** The program of an operator who runs only this one service: its definition, its settings, start. */
const program = (name: string) => `
  import { systemClock } from '@chancela/service-kernel/clock'
  import { loadSettings } from '@chancela/service-kernel/config'
  import { startSuite } from '@chancela/service-kernel/service'
  import * as exported from '${name}'
  const service = Object.values(exported).find((one) => one?.build && one.surfaces)
  const { settings } = loadSettings({ schemas: { [service.name]: service.settings }, environment: process.env })
  const suite = await startSuite([service], settings, { clock: systemClock, version: '0.0.0', dataFolder: 'data' })
  console.log('SURFACES ' + JSON.stringify(suite.services.flatMap(({ surfaces }) => surfaces.map(({ baseUrl }) => baseUrl))))
  process.once('SIGTERM', () => suite.stop().then(() => process.exit(0)))`

/** The services, and every port setting: the system chooses one, since a demo may use the defaults. */
const ports = {
  '@chancela/batch-signer': ['BATCH_SIGNER__HTTP', 'BATCH_SIGNER__COMPACT'],
  '@chancela/cloud-hub': ['CLOUD_HUB__HTTP', 'CLOUD_HUB__CONSOLE'],
  '@chancela/credential-platform': ['CREDENTIAL_PLATFORM__HTTP'],
  '@chancela/document-platform': ['DOCUMENT_PLATFORM__HTTP'],
  '@chancela/pki-core': ['PKI_CORE__HTTP', 'PKI_CORE__CONSOLE'],
  '@chancela/session-server': ['SESSION_SERVER__HTTP', 'SESSION_SERVER__CONSOLE'],
} as const

describe('a service that is packed and installed without the repository', () => {
  const project = mkdtempSync(join(tmpdir(), 'chancela-packed-'))
  const modules = join(project, 'node_modules')

  beforeAll(async () => {
    await run('npm', ['run', 'build'], { cwd: root })
    for (const name of Object.keys(folders)) await run('npm', packing, { cwd: join(root, folders[name]!) })
    // A build of everything and a run of npm for each package: minutes where the machine has other work.
  }, 600_000)

  const packing = ['pack', '--ignore-scripts', '--pack-destination', project]

  afterAll(() => rmSync(project, { recursive: true, force: true }))

  /** Its tarball and those of its dependencies; of third-party packages only those that a manifest declares. */
  async function install(name: string): Promise<void> {
    rmSync(modules, { recursive: true, force: true })
    for (const ours of closure(name)) {
      const place = join(modules, ours)
      mkdirSync(place, { recursive: true })
      const tarball = join(project, `${ours.slice(1).replace('/', '-')}-0.1.0.tgz`)
      await run('tar', ['-xzf', tarball, '-C', place, '--strip-components=1'])
      for (const theirs of declared(folders[ours]!).filter((dependency) => !(dependency in folders))) link(theirs)
    }
  }

  function link(name: string): void {
    const place = join(modules, name)
    mkdirSync(dirname(place), { recursive: true })
    rmSync(place, { force: true })
    symlinkSync(join(root, 'node_modules', name), place)
  }

  test.each(Object.entries(ports))('%s starts alone and answers with its pages', async (name, sections) => {
    await install(name)
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(project, 'start.js'), program(name))
    const chosen = Object.fromEntries(sections.map((section) => [`CHANCELA__${section}__PORT`, '0']))
    const env = { ...process.env, NODE_OPTIONS: '', ...chosen }
    const child = spawn(process.execPath, ['start.js'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const urls = await surfacesOf(child.stdout)
    expect(urls).toHaveLength(sections.length)
    for (const url of urls) {
      const answer = await fetch(url, { headers: { accept: 'text/html' } })
      expect([url, answer.status, answer.headers.get('content-type')]).toEqual([url, 200, 'text/html; charset=utf-8'])
    }
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

async function surfacesOf(output: NodeJS.ReadableStream): Promise<readonly string[]> {
  for await (const line of createInterface(output))
    if (line.startsWith('SURFACES ')) return JSON.parse(line.slice('SURFACES '.length))
  throw new Error('The service ended before it had started.')
}
