// Everything the suite of the proof depends on, each behind a gate that can break it.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type CloudProvider, createCloudProvider } from '@chancela/testkit/cloud-provider'
import { cachedKeys, type RunningDemoPki, startDemoPki, writeDemoFiles } from '@chancela/testkit/demo-pki'
import { type RunningSmtpServer, startSmtpServer } from '@chancela/testkit/mail'
import { freePort } from '@chancela/testkit/tools'
import S3rver from 's3rver'
import { writeDemoFile } from '../../src/demo-file.ts'
import { DatabaseServer } from './database-server.ts'
import { Gate } from './gate.ts'
import {
  anyHosts,
  BUCKET,
  type Hosts,
  ownHosts,
  type ServiceName,
  serviceNames,
  settingsOf,
  type WorldKind,
} from './settings.ts'
import { type DiskName, SuiteProcess } from './suite-process.ts'

const gateNames = ['authorities', 'provider', 'mail', 'store'] as const

export type GateName = (typeof gateNames)[number]

export type Gates = Readonly<Record<GateName, Gate>>

export interface World {
  readonly kind: WorldKind
  /** The folder that has everything, disks by their names. */
  readonly root: string
  readonly suite: SuiteProcess
  readonly pki: RunningDemoPki
  readonly provider: CloudProvider
  readonly mail: RunningSmtpServer
  readonly database: DatabaseServer | undefined
  readonly gates: Gates
  close(): Promise<void>
}

/** What the hub is at the provider. */
const client = { clientId: 'hub', clientSecret: 'segredo-do-hub', name: 'Chancela' } as const

/** Where a holder comes back to. Nobody listens there: the address is all that is read. */
export const RETURN = 'http://localhost:9/return'

interface WorldOptions {
  /** Whether the suite has disks, hosts and a clock of its own. */
  readonly isolated: boolean
  /** Disks that turn read-only when they are told to fail, and stay so. */
  readonly failing?: readonly DiskName[] | undefined
}

/** Starts the world and the suite in it. */
export async function openWorld(kind: WorldKind, { isolated, failing = [] }: WorldOptions): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), 'chancela-faults-'))
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one()
    rmSync(root, { recursive: true, force: true })
  }
  try {
    const hosts = isolated ? ownHosts : anyHosts
    const gates = await openGates(closing)
    const pki = await openAuthorities(gates, hosts, closing)
    const provider = await openProvider(pki, gates, closing)
    const mail = await startSmtpServer()
    closing.push(() => mail.stop())
    gates.mail.leadTo(mail.port)
    const database = kind === 'servers' ? await DatabaseServer.start() : undefined
    if (database) closing.push(() => database.stop())
    if (kind === 'servers') await openStore(root, gates, closing)
    await prepareData(root, pki)
    const config = join(root, 'chancela.json')
    const ports = await portsOf()
    writeFileSync(
      config,
      JSON.stringify(settingsOf({ kind, root, gates, hosts, ports, databaseUrl: database?.url }), null, 2),
    )
    for (const disk of failing) closing.push(mountFailing(root, disk))
    const suite = await SuiteProcess.start({ root, config, only: serviceNames, isolated, mounted: failing })
    closing.push(async () => void (await suite.stop(30)))
    await addProvider({ suite, provider, root, config })
    return { kind, root, suite, pki, provider, mail, database, gates, close }
  } catch (error) {
    await close()
    throw error
  }
}

type Closing = (() => Promise<unknown>)[]

async function openGates(closing: Closing): Promise<Gates> {
  const gates: Partial<Record<GateName, Gate>> = {}
  for (const name of gateNames) {
    const gate = await Gate.make()
    gates[name] = gate
    closing.push(() => gate.close())
  }
  return gates as Gates
}

async function openAuthorities({ authorities }: Gates, hosts: Hosts, closing: Closing): Promise<RunningDemoPki> {
  const port = await freePort()
  const baseUrl = `http://${hosts.authorities}:${authorities.port}`
  const pki = await startDemoPki({ port, baseUrl, keys: cachedKeys() })
  closing.push(() => pki.stop())
  authorities.leadTo(port)
  return pki
}

async function openProvider({ pki }: RunningDemoPki, { provider: gate }: Gates, closing: Closing) {
  const provider = createCloudProvider({ pki, clock: systemClock, baseUrl: `http://localhost:${gate.port}` })
  const server = createServer(provider.handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  gate.leadTo((server.address() as AddressInfo).port)
  return provider
}

async function openStore(root: string, { store }: Gates, closing: Closing): Promise<void> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(root, 'bucket'),
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port } = await server.run()
  closing.push(() => server.close())
  store.leadTo(port)
}

/** What an earlier start of the demo would have left: the holders' files. The log is on its disk. */
async function prepareData(root: string, { pki }: RunningDemoPki): Promise<void> {
  const data = join(root, 'data')
  mkdirSync(data, { recursive: true })
  const files = await writeDemoFiles(pki, join(data, 'demo'))
  writeDemoFile(data, { services: {}, ...files })
  symlinkSync(join(root, 'log', 'demo.log'), join(data, 'demo.log'))
}

async function portsOf(): Promise<Readonly<Record<ServiceName, number>>> {
  const ports: Partial<Record<ServiceName, number>> = {}
  for (const name of serviceNames) ports[name] = await freePort()
  return ports as Record<ServiceName, number>
}

interface ProviderOptions {
  readonly suite: SuiteProcess
  readonly provider: CloudProvider
  readonly root: string
  readonly config: string
}

/** As an operator does it at the machine. */
async function addProvider({ suite, provider, root, config }: ProviderOptions): Promise<void> {
  const cli = (...args: readonly string[]) =>
    suite.inside([process.execPath, CLI, ...args, '--config', config, '--data', join(root, 'data')])
  const secret = join(root, 'secret')
  writeFileSync(secret, client.clientSecret, { mode: 0o600 })
  const fields = ['--name', 'Nuvem', '--company', 'Nuvem S.A.', '--endpoint', provider.psc.baseUrl]
  const ours = ['--client-id', client.clientId, '--secret-file', secret]
  const added = await cli('providers', 'add', 'cloud-hub', '--preset', 'generic-psc', ...fields, ...ours)
  const callback = /https?:\S+callback\S*/.exec(added)?.[0] ?? ''
  provider.register({ ...client, redirectUris: [callback] })
  const keys = await cli('keys', 'list', 'cloud-hub')
  const demoKey = /^(\S+).*\bdemo\b/m.exec(keys)?.[1] ?? ''
  await cli('redirect-uris', 'add', 'cloud-hub', demoKey, RETURN)
}

const CLI = join(import.meta.dirname, '../../../cli/bin/chancela.mjs')

/** A disk with a journal, which gives up when it is told to, even under files that are open for writing. */
function mountFailing(root: string, disk: DiskName): () => Promise<void> {
  const [image, folder] = [join(root, `${disk}.img`), join(root, disk)]
  mkdirSync(folder)
  execFileSync('truncate', ['-s', '256M', image])
  execFileSync('mkfs.ext4', ['-q', '-F', image])
  execFileSync('mount', ['-o', 'loop', image, folder])
  return async () => void execFileSync('umount', [folder])
}
