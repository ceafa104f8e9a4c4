import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import {
  describeSettings,
  loadSettings,
  printedSettings,
  printSettings,
  serviceSettings,
  withoutPassword,
} from './index.ts'

const defaults = (port: number) => ({
  Http: { Port: port },
  Database: { Url: 'sqlite:service.db' },
  Secrets: { MasterKeyFile: 'master.key' },
})
const schemas = {
  'batch-signer': serviceSettings(defaults(8084), {
    Signer: Type.Object({
      WebhookSecret: Type.Optional(Type.String({ secret: true, description: 'Bearer token of notifications.' })),
      Endpoint: Type.String({ default: 'http://localhost', description: 'Service | address.' }),
      Accounts: Type.Array(Type.Object({ Name: Type.String(), Key: Type.String({ secret: true }) }), {
        default: [],
        description: 'Accounts.',
      }),
    }),
  }),
  'pki-core': serviceSettings(defaults(8083), {}),
}
const environment = {
  CHANCELA__BATCH_SIGNER__SIGNER__WEBHOOKSECRET: 'hunter2-hunter2',
  CHANCELA__BATCH_SIGNER__SIGNER__ACCOUNTS: '[{"Name":"main","Key":"hunter2"}]',
  CHANCELA__COMMON__DATABASE__URL: 'postgres://chancela:hunter2@db/chancela',
}
const loaded = loadSettings({ schemas, environment })

describe('printed settings', () => {
  test('have the effective value and the source, and no secret anywhere', () => {
    const printed = Object.fromEntries(printedSettings(schemas, loaded)['batch-signer']!.map((one) => [one.key, one]))
    expect(printed).toMatchObject({
      'Http:Port': { value: 8084, source: 'default' },
      'Signer:WebhookSecret': { value: '(set)', source: 'CHANCELA__BATCH_SIGNER__SIGNER__WEBHOOKSECRET' },
      'Signer:Accounts': { value: [{ Name: 'main', Key: '(set)' }] },
      'Secrets:MasterKey': { value: '(not set)', source: 'not given' },
      'Database:Url': { value: 'postgres://chancela:***@db/chancela', source: 'CHANCELA__COMMON__DATABASE__URL' },
    })
    expect(printed['Http:PublicUrl']).toStrictEqual({ key: 'Http:PublicUrl', source: 'not given' })
    expect(JSON.stringify(printedSettings(schemas, loaded)) + printSettings(schemas, loaded)).not.toContain('hunter2')
  })

  test('are one aligned line each, under the name of the service', () => {
    const lines = printSettings(schemas, loaded).split('\n')
    expect(lines[0]).toBe('batch-signer')
    expect(lines.find((line) => line.includes('Http:Port'))).toMatch(/^ {2}Http:Port +8084 +default$/)
    expect(lines).toContain('pki-core')
  })
})

test.each([
  ['postgres://u:p@h/d', 'postgres://u:***@h/d'],
  ['postgres://u:p@ss:w/rd@h:5432/d?x=1', 'postgres://u:***@h:5432/d?x=1'],
  ['postgres://:p@h/d', 'postgres://:***@h/d'],
  ['postgres://h/d?user=u&password=p&sslpassword=q', 'postgres://h/d?user=u&password=***&sslpassword=***'],
  ['postgres://u@h/d', 'postgres://u@h/d'],
  ['sqlite:data/x.db', 'sqlite:data/x.db'],
])('the password of %s is not shown', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
})

describe('the configuration reference', () => {
  const reference = describeSettings(schemas)
  const [everyService, batchSigner] = reference.split('\n## ') as [string, string]

  test('has one row per setting: those of every service once, with the defaults by service', () => {
    expect(everyService).toMatch(/^## Every service\n/)
    expect(everyService).toContain(
      '| `Http:Port` | an integer from 0 to 65535 | `8084` (batch-signer), `8083` (pki-core) |',
    )
    expect(reference.match(/`Http:Port`/g)).toHaveLength(1)
    expect(reference).not.toContain('## pki-core')
  })

  test('has the service’s own settings with their variable, and says which are secret', () => {
    expect(batchSigner).toMatch(/^batch-signer\n\nVariables begin with `CHANCELA__BATCH_SIGNER`/)
    const row = batchSigner.split('\n').find((line) => line.includes('`Signer:WebhookSecret`'))
    expect(row).toMatch(/\| not set \| Bearer token of notifications\. Secret: .*\| `…__Signer__WebhookSecret` \|$/)
    expect(batchSigner).toContain('Service \\| address.')
  })

  test('has a row for every setting there is', () => {
    const keys = Object.values(printedSettings(schemas, loaded)).flatMap((settings) => settings.map(({ key }) => key))
    for (const key of keys) expect(reference).toContain(`| \`${key}\` |`)
  })
})
