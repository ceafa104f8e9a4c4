import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { chooseServices, kernelPart, rulesOf, schemasOf, untilStopped, version } from '@chancela/cli'
import { systemClock } from '@chancela/service-kernel/clock'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { type RunningSuite, type ServiceDefinition, startSuite } from '@chancela/service-kernel/service'
import type { CloudProvider } from '@chancela/testkit/cloud-provider'
import { type DataFolder, folderProblem, takeDataFolder } from './data-folder.ts'
import { DemoAccess } from './demo-access.ts'
import { type DemoAdministrator, demoAdministrator } from './demo-administrator.ts'
import { fillDemoCore } from './demo-core.ts'
import { certifyUniversity } from './demo-credentials.ts'
import { type DemoFile, readDemoFile, writeDemoFile } from './demo-file.ts'
import { allowReturn, fillDemoHub } from './demo-hub.ts'
import { type CallingService, callerKeys, isCalling } from './demo-keys.ts'
import { writeDemoSamples } from './demo-samples.ts'
import { completeSettings, demoPlaces, demoSettings, makeDemoFolders } from './demo-settings.ts'
import { tokenKey } from './demo-tokens.ts'
import { fillDemoVault } from './demo-vault.ts'
import { refuseExposed } from './only-here.ts'
import { type DemoOptions, readOptions, usage } from './options.ts'
import { type IssuedFiles, pkiFolder } from './pki/pki-service.ts'
import { demoServices } from './services.ts'
import { suiteTable } from './suite-table.ts'

type Log = (line: string) => void

/** What the program that starts the demo provides. */
export interface DemoHost {
  /** Resolves when the pages are built. The PKI does not wait for it: its keys take as long to generate. */
  readonly pages?: Promise<unknown>
  /** Where lines of progress go. */
  readonly log?: Log
  /** Where the table goes. */
  readonly print?: Log
  readonly untilStopped?: () => Promise<void>
  /** Called when everything was stopped: the process has nothing left to do. */
  readonly onStopped?: () => void
}

export { endSoon } from '@chancela/cli'

/** `npm start`: the whole demo, until it is stopped. Returns the exit code. */
export async function runDemo(args: readonly string[], given: DemoHost = {}): Promise<number> {
  const host = { ...ofAProcess, ...given }
  const { log, print } = host
  try {
    const options = readOptions(args)
    if (options.help) print(usage)
    else await demo(options, host)
    return 0
  } catch (error) {
    const sentence = sentenceOf(error)
    if (sentence === undefined) throw error
    log(sentence)
    return 1
  }
}

async function demo(options: DemoOptions, host: Required<DemoHost>): Promise<void> {
  const path = resolve(options.data)
  try {
    await demoOn(takeDataFolder(path, options), options, host)
  } catch (error) {
    throw folderProblem(path, error) ?? error
  }
}

async function demoOn(data: DataFolder, options: DemoOptions, host: Required<DemoHost>): Promise<void> {
  const { log, print, untilStopped, onStopped } = host
  try {
    const { definitions, board, issued, cloud } = demoServices(systemClock())
    const chosen = chooseServices(definitions, options.only)
    announceKeys(chosen, data, log)
    makeDemoFolders(data.path)
    writeDemoSamples(data.path, systemClock())
    const former = readDemoFile(data.path)
    const administrator = demoAdministrator(data.path, former)
    const access = new DemoAccess(former, administrator, systemClock)
    const suite = await start(definitions, chosen, { data, options, access, ...host })
    try {
      const file = await describeDemo(suite, data, access, issued())
      await fillVault(suite, file, administrator)
      await fillHub(suite, file, cloud(), administrator)
      await fillCore(suite, administrator)
      await fillCredentials(file, administrator)
      board.update(suite.services, file)
      writeDemoFile(data.path, file)
      print(suiteTable(suite.services, file, administrator, fromRoot(data.path)))
      await untilStopped()
      log('Stopping: running requests are answered first …')
    } finally {
      await suite.stop()
    }
  } finally {
    data.release()
    onStopped()
  }
}

/** Generating RSA-4096 keys takes seconds, and a silent terminal looks hung. */
function announceKeys(chosen: readonly ServiceDefinition[], data: DataFolder, log: Log): void {
  const isFirst = chosen.some((service) => service.name === 'demo-pki') && !existsSync(pkiFolder(data.path))
  if (isFirst) log('Making the keys of the demo PKI; only the first start does …')
}

interface StartContext extends Required<DemoHost> {
  readonly data: DataFolder
  readonly options: DemoOptions
  readonly access: DemoAccess
}

function start(
  definitions: readonly ServiceDefinition[],
  chosen: readonly ServiceDefinition[],
  { data, options: { config: file }, access, pages, log }: StartContext,
): Promise<RunningSuite> {
  let started = 0
  const only = chosen.map((service) => service.name)
  const loaded = loadSettings({
    schemas: schemasOf(definitions),
    rules: rulesOf(definitions),
    only,
    file,
    environment: process.env,
    defaults: demoSettings(access.former),
  })
  const settings = kernelPart(loaded)
  refuseExposed(chosen, settings)
  const plan = { chosen, settings, dataFolder: data.path, access }
  return startSuite(chosen, settings, {
    clock: systemClock,
    version,
    dataFolder: data.path,
    logFile: resolve(data.path, 'demo.log'),
    complete: async (definition, given, before) => {
      if (definition.name !== 'demo-pki') await pages
      const complete = await completeSettings(definition, given, before, access)
      return isCalling(definition.name) ? withTokens(definition.name, complete, plan) : complete
    },
    onStarted: ({ definition }) => log(`Started ${definition.name} (${++started} of ${chosen.length})`),
  })
}

interface TokenWay {
  readonly chosen: readonly ServiceDefinition[]
  readonly settings: Readonly<Record<string, KernelSettings>>
  readonly dataFolder: string
  readonly access: DemoAccess
}

/** Lets people on the pages of a service sign with tokens, unless its settings name a session server. */
async function withTokens(
  caller: CallingService,
  given: KernelSettings,
  { access, ...plan }: TokenWay,
): Promise<KernelSettings> {
  const { SessionServer } = given as KernelSettings & { readonly SessionServer: { readonly ApiKey: string } }
  const { Port } = plan.settings['session-server']?.Http ?? { Port: 0 }
  // A port that the system chooses is not known yet.
  if (SessionServer.ApiKey !== '' || Port === 0) return given
  const name = callerKeys[caller]
  const former = access.former?.services['session-server']?.[name]
  const ApiKey = await tokenKey({ ...plan, caller, former, clock: systemClock })
  if (ApiKey === undefined) return given
  access.tokenKeys[name] = ApiKey
  const reached = { Endpoint: `http://localhost:${Port}`, ApiKey }
  return { ...given, SessionServer: { ...SessionServer, ...reached } } as KernelSettings
}

async function fillVault(
  { services }: RunningSuite,
  { holders }: DemoFile,
  administrator: DemoAdministrator,
): Promise<void> {
  const sessions = services.find(({ definition }) => definition.name === 'session-server')
  if (sessions) await fillDemoVault(sessions, holders, administrator)
}

async function fillCore({ services }: RunningSuite, administrator: DemoAdministrator): Promise<void> {
  const core = services.find(({ definition }) => definition.name === 'pki-core')
  if (core) await fillDemoCore(core, administrator)
}

async function fillCredentials(
  { services: { 'credential-platform': platform, 'demo-pki': pki } }: DemoFile,
  administrator: DemoAdministrator,
): Promise<void> {
  if (platform && pki) await certifyUniversity(platform, pki, administrator)
}

async function fillHub(
  { services }: RunningSuite,
  { services: known }: DemoFile,
  cloud: CloudProvider | undefined,
  administrator: DemoAdministrator,
): Promise<void> {
  const hub = services.find(({ definition }) => definition.name === 'cloud-hub')
  if (!hub) return
  await fillDemoHub(hub, cloud, administrator)
  const { apiKey, redirectUri } = known['cloud-hub']!
  if (apiKey && redirectUri) await allowReturn(hub, apiKey, redirectUri)
}

/** Gathers what a person or a program needs to try the suite. */
async function describeDemo(
  suite: RunningSuite,
  data: DataFolder,
  access: DemoAccess,
  issued: IssuedFiles | undefined,
): Promise<DemoFile> {
  const services: Record<string, DemoFile['services'][string]> = {}
  for (const service of suite.services) {
    const known = await access.of(service)
    for (const { definition, baseUrl } of service.surfaces) {
      const { name } = definition
      services[name] = { baseUrl, ...known[name], ...placesOf(name, data) }
    }
  }
  addReturn(services)
  return { services, ...(issued ? issuedFromRoot(issued) : { holders: [], ...access.former, services }) }
}

/** The home page is the redirect URI of the demo's key at the hub; it shows what a user comes back with. */
function addReturn(services: Record<string, DemoFile['services'][string]>): void {
  const { 'cloud-hub': hub, home } = services
  if (hub && home) services['cloud-hub'] = { ...hub, redirectUri: `${home.baseUrl}/return` }
}

const placesOf = (surface: string, data: DataFolder) =>
  Object.fromEntries(
    Object.entries(demoPlaces[surface] ?? {}).map(([name, path]) => [name, fromRoot(resolve(data.path, path))]),
  )

const issuedFromRoot = ({ trustAnchors, holders }: IssuedFiles) => ({
  trustAnchors: fromRoot(trustAnchors),
  holders: holders.map((holder) => ({ ...holder, pkcs12: fromRoot(holder.pkcs12) })),
})

const fromRoot = (path: string): string => relative(process.cwd(), path)

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof StartupProblem) return error.message
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  return isUsage ? `${(error as Error).message}\n\n${usage}` : undefined
}

const ofAProcess: Required<DemoHost> = {
  pages: Promise.resolve(),
  log: (line) => void process.stderr.write(`${line}\n`),
  print: (text) => void process.stdout.write(`${text}\n`),
  untilStopped,
  onStopped: () => undefined,
}
