// Every service of the product beside a database whose master key is not there: a second machine, a restored backup.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceDefinition } from '@chancela/service-kernel/service'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { runCli } from './run-cli.ts'
import { services } from './services.ts'

const API_KEY = 'a key of sixteen letters and more'

const own: Readonly<Record<string, object>> = { 'batch-signer': { Auth: { ApiKey: API_KEY } } }

/** The settings of a service on ports of the system's choice. */
const settingsOf = ({ name, surfaces }: ServiceDefinition, url: string) => ({
  ...Object.fromEntries(surfaces.map(({ section }) => [section, { Port: 0 }])),
  Database: { Url: url },
  Log: { Level: 'silent' },
  ...own[name],
})

/** A data folder with the settings of one service; its own schema on PostgreSQL is of its name. */
async function site(service: ServiceDefinition, database: keyof typeof testStores) {
  const folder = temporaryFolder()
  const { url } = await testStores[database]()
  writeFileSync(join(folder, 'chancela.json'), JSON.stringify({ [service.name]: settingsOf(service, url) }))
  return { folder, keyFile: join(folder, service.name, 'keys/master.key') }
}

/** Starts it until it answers, and stops it. */
async function start({ name }: ServiceDefinition, folder: string) {
  const said: string[] = []
  const code = await runCli(['start', name, '--config', join(folder, 'chancela.json'), '--data', folder], {
    environment: {},
    log: (text) => void said.push(text),
    untilStopped: () => Promise.resolve(),
  })
  return { code, said }
}

for (const database of ['SQLite', 'PostgreSQL'] as const)
  describe(`a start without the master key on ${database}`, () => {
    test.each(services.map((service) => [service.name, service] as const))(
      '%s: ends with one sentence and makes no key; with its key it starts again',
      async (_, service) => {
        const { folder, keyFile } = await site(service, database)
        expect((await start(service, folder)).code).toBe(0)
        renameSync(keyFile, `${keyFile}.away`)
        const { code, said } = await start(service, folder)
        expect([code, said.length, existsSync(keyFile)]).toEqual([1, 1, false])
        expect(said[0]).toContain(`${service.name} Secrets:MasterKeyFile`)
        renameSync(`${keyFile}.away`, keyFile)
        expect((await start(service, folder)).code).toBe(0)
      },
    )
  })
