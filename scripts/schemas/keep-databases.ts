import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StatefulService } from '@chancela/service-kernel/service'
import { migrate, openStore, type Store } from '@chancela/service-kernel/store'
import { runCli } from '../../apps/cli/src/run-cli.ts'
import { services } from '../../apps/cli/src/services.ts'

type Tables = Record<string, Record<string, unknown>>

/** Given to every kept service, so that what they sealed still opens. It protects nothing. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

async function keep(service: StatefulService): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'chancela-keep-'))
  try {
    await use(service, data)
    const store = await openStore<Tables>({ url: `sqlite:${join(data, 'store.db')}`, service: service.name })
    const text = JSON.stringify(await contentOf(store, service), null, 1)
    await store.close()
    // Nothing of this machine is kept.
    const anonymous = text.replaceAll(data, '/srv/chancela').replaceAll(hostname(), 'kept')
    writeFileSync(join(folder, `${service.name}.json`), `${anonymous}\n`)
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** Leaves some rows behind: a start, an application with a key where the service has them. */
async function use({ name, surfaces }: StatefulService, data: string): Promise<void> {
  const settings = {
    ...Object.fromEntries(surfaces.map(({ section }) => [section, { Port: 0 }])),
    Database: { Url: `sqlite:${join(data, 'store.db')}` },
    Secrets: { MasterKey: MASTER_KEY },
    Log: { Level: 'silent' },
    ...(name === 'batch-signer' && { Auth: { ApiKey: 'a key of sixteen letters and more' } }),
  }
  const config = join(data, 'chancela.json')
  writeFileSync(config, JSON.stringify({ [name]: settings }))
  const run = (...args: string[]) =>
    runCli([...args, '--config', config, '--data', data], {
      environment: {},
      print: () => undefined,
      log: () => undefined,
      untilStopped: async () => undefined,
    })
  if ((await run('start', name)) !== 0) throw new Error(`${name} did not start.`)
  if (surfaces.some(({ apiKey }) => apiKey?.form)) await run('keys', 'create', name, '--application', 'kept')
}

/** The steps of the database, and its rows in the order in which the tables were made. */
async function contentOf(store: Store<Tables>, service: StatefulService) {
  const { alreadyThere: steps } = await migrate(store, service.migrations)
  const schema = store.db.selectFrom('sqlite_schema').select('name').where('type', '=', 'table').orderBy('rowid')
  const rows: Record<string, readonly unknown[]> = {}
  for (const { name } of (await schema.execute()) as { name: string }[]) {
    const found = isOwn(name) ? await store.db.selectFrom(name).selectAll().execute() : []
    if (found.length > 0) rows[name] = found
  }
  return { steps: lastOf(steps), rows }
}

const isOwn = (table: string): boolean => !table.startsWith('sqlite_') && table !== 'schema_migration'

/** The last step of each owner. */
const lastOf = (steps: readonly { readonly owner: string; readonly id: number }[]): Record<string, number> =>
  Object.fromEntries(steps.map(({ owner, id }) => [owner, id]))

const [version] = process.argv.slice(2)
if (version === undefined) throw new Error('Which version? node scripts/keep-databases.mjs 0.1.0')
const folder = join(import.meta.dirname, '../../apps/cli/test/databases', version)
mkdirSync(folder, { recursive: true })
for (const service of services) if (service.migrations) await keep(service)
