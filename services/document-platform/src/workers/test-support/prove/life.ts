// One run of the service: the process that the prover starts and kills. All code is the service's own, except that it
// can be made to crash at a step.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { createApplication, createKey } from '@chancela/service-kernel/http'
import { contextOf, type StatefulService, startService } from '@chancela/service-kernel/service'
import type { Store } from '@chancela/service-kernel/store'
import {
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type RootOperationNode,
  TableNode,
} from 'kysely'
import { documentPlatform } from '../../../index.ts'
import type { Tables } from '../../../store/tables.ts'
import type { Crash, LifeSetup, Order, Organization, Word } from './life-plan.ts'

process.once('message', async ({ setup, plan }: Order) => say(await live(setup, plan.crash)))
// Without a prover the process exits.
process.once('disconnect', () => process.exit())
say({ word: 'loaded' })

function say(word: Word): void {
  process.send!(word)
}

async function live(setup: LifeSetup, crash: Crash | undefined): Promise<Word> {
  const { name, dataFolder, ahead, isFirst } = setup
  const clock = () => new Date(systemClock().getTime() + ahead)
  const pass = passing(crash)
  doomFiles(pass)
  const doomed: StatefulService = {
    ...documentPlatform,
    name,
    build: (context) => documentPlatform.build({ ...context, store: doomedStore(context.store, pass) }),
  }
  const { settings } = loadSettings({
    schemas: { [name]: doomed.settings },
    environment: {},
    defaults: { [name]: settingsOf(setup) },
  })
  const service = await startService(doomed, settings[name] as KernelSettings, {
    clock,
    version: '1.0.0',
    dataFolder,
    logFile: join(dataFolder, 'service.log'),
  })
  const { baseUrl } = service.surfaces[0]!
  if (!isFirst) return { word: 'listening', baseUrl }
  const { store } = contextOf<unknown, Tables>(service)
  return { word: 'listening', baseUrl, organization: await newOrganization(store, clock()) }
}

const settingsOf = ({ databaseUrl, roots, mailPort, documents = {} }: LifeSetup) => ({
  Http: { Port: 0 },
  Database: { Url: databaseUrl },
  Auth: { PasswordCost: 10 },
  Documents: { VerificationStamp: 'None', ...documents },
  Email: { Enabled: true, Host: '127.0.0.1', Port: mailPort, Security: 'None', From: 'documents@example.com' },
  RateLimiting: { Enabled: false },
  Signing: { TrustAnchorsFile: roots, AuthorityHosts: ['127.0.0.1/32'] },
  Webhooks: { AllowedHosts: ['127.0.0.1/32'], TimeoutSeconds: 5 },
})

type Pass = (point: Crash['point'], side: 'before' | 'after') => void

/** Crashes where the plan says. */
function passing(crash: Crash | undefined): Pass {
  let reached = 0
  return (point, side) => {
    if (crash?.point !== point || !('side' in crash) || crash.side !== side) return
    reached += 1
    if (reached === crash.nth) process.kill(process.pid, 'SIGKILL')
  }
}

/** Blobs get their names by `renameSync`, which the storage imports by name. */
function doomFiles(pass: Pass): void {
  const { renameSync } = fs
  fs.renameSync = (from, to) => {
    const point = String(to).includes('/arrivals/') ? 'blob arrives' : 'blob is placed'
    pass(point, 'before')
    renameSync(from, to)
    pass(point, 'after')
  }
  syncBuiltinESMExports()
}

type Transact = Store<Tables>['transaction']

function doomedStore<S extends object>(store: S, pass: Pass): S {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return name === 'transaction' ? doomedTransaction(value.bind(target), pass) : value.bind(target)
    },
  })
}

function doomedTransaction(transaction: Transact, pass: Pass): Transact {
  return async (work) => {
    pass('transaction', 'before')
    const witness = new Witness()
    const result = await transaction(async (tx) => {
      const written = await work(tx.withPlugin(witness))
      for (const point of witness.points) pass(point, 'before')
      return written
    })
    for (const point of witness.points) pass(point, 'after')
    pass('transaction', 'after')
    return result
  }
}

/** Tells what a transaction wrote. */
class Witness implements KyselyPlugin {
  readonly points = new Set<Crash['point']>()

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind === 'InsertQueryNode' && nameOf(node.into) === 'audit_entry') this.points.add('audit entry')
    if (node.kind === 'UpdateQueryNode' && nameOf(node.table) === 'generation') this.points.add('generated row')
    return node
  }

  transformResult = async ({ result }: PluginTransformResultArgs) => result
}

const nameOf = (node: OperationNode | undefined): string | undefined =>
  node && TableNode.is(node) ? node.table.identifier.name : undefined

/** An organization with an application, as the administration creates them. */
async function newOrganization(store: Store<Tables>, now: Date): Promise<Organization> {
  const id = randomUUID()
  const at = now.toISOString()
  const row = {
    id,
    name: 'Hospital',
    identifier: null,
    owner_id: null,
    time_zone: 'America/Sao_Paulo',
    billing: null,
    require_second_factor: 0,
    public_documents: 0,
    verification_stamp: null,
  }
  await store.db
    .insertInto('organization')
    .values({ ...row, created_at: at, deleted_at: null })
    .execute()
  const { id: applicationId } = await createApplication(store, `app ${id}`, now)
  const scope = { application_id: applicationId, organization_id: id, name: 'prover', folder_ids: null }
  await store.db
    .insertInto('application_scope')
    .values({ ...scope, role: 'Organization' })
    .execute()
  const { key } = await createKey(store, { applicationId, description: 'prover', form: 'application|secret' }, now)
  return { id, apiKey: key }
}
