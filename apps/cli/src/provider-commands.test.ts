import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testClock } from '@chancela/testkit/clock'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { cachedKeys, type RunningDemoPki, startDemoPki } from '@chancela/testkit/demo-pki'
import { startForwardProxy } from '@chancela/testkit/forward-proxy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cli, filesBelow, temporaryFolder } from '../test/operator-cli.ts'
import type { CommandContext } from './index.ts'

const SECRET = 'o-segredo-do-provedor'
const clock = testClock()

let pki: RunningDemoPki
let simulator: RunningCloudProvider
beforeAll(async () => {
  pki = await startDemoPki({ keys: cachedKeys(), clock })
  simulator = await startCloudProvider({ pki: pki.pki, clock })
})
afterAll(async () => {
  await simulator.stop()
  await pki.stop()
})

/** A folder of data, and command lines on the hub in it. */
function prepared() {
  const data = temporaryFolder()
  const environment: Record<string, string> = {
    CHANCELA_PASSWORD: SECRET,
    CHANCELA__CLOUD_HUB__PROVIDERS__ALLOWEDHOSTS__0: '127.0.0.1',
    CHANCELA__CLOUD_HUB__PROVIDERS__ALLOWEDHOSTS__1: 'localhost',
  }
  const run = (group: string, args: readonly string[], changes: Partial<CommandContext> = {}) =>
    cli([group, ...args, '--data', data], { environment, ...changes })
  const providers = (args: readonly string[], changes?: Partial<CommandContext>) => run('providers', args, changes)
  const add = (...more: readonly string[]) =>
    providers(['add', 'cloud-hub', '--preset', 'generic-psc', '--endpoint', simulator.psc.baseUrl, ...more])
  return { data, environment, run, providers, add }
}

describe('chancela providers', () => {
  test('shows what a provider may be made from', async () => {
    const { out } = await prepared().providers(['presets', 'cloud-hub'])
    expect(out).toMatch(/birdid +BirdID \(Soluti\) +psc +https:\/\/api\.birdid\.com\.br\/v0/)
    expect(out).toMatch(/csc-2\.2 +csc-2\.2 +csc +your own/)
  })

  test('adds, changes, disables, enables and removes a provider; its secret is nowhere in clear', async () => {
    const { data, providers, add } = prepared()
    const knobs = ['--knob', 'hashEncoding=hex', 'maxHashesPerCall=5', 'discovery=false', 'foundStatuses=S,Y']
    const added = await add('--name', 'Nuvem', '--company', 'Nuvem S.A.', '--client-id', 'hub', ...knobs)
    expect(added.out).toMatch(/^Nuvem is a provider of cloud-hub\. .*: http:\/\/\S+\/callbacks\/nuvem$/)
    const list = async () => (await providers(['list', 'cloud-hub'])).out
    expect(await list()).toMatch(/Nuvem +Nuvem S\.A\. +psc +\S+ +hub +enabled +http\S+nuvem/)
    const changed = await providers(['update', 'cloud-hub', 'NUVEM', '--client-id', 'hub-2', '--knob', 'discovery='])
    expect([changed.code, changed.out]).toEqual([0, 'Nuvem is changed.'])
    expect((await providers(['disable', 'cloud-hub', 'nuvem'])).out).toContain('Nuvem is disabled')
    expect(await list()).toMatch(/hub-2 +disabled/)
    expect((await providers(['enable', 'cloud-hub', 'nuvem'])).out).toBe('Nuvem is enabled.')
    expect((await providers(['remove', 'cloud-hub', 'nuvem'])).code).toBe(0)
    expect(await list()).not.toContain('Nuvem')
    for (const file of filesBelow(data)) expect(readFileSync(file).includes(SECRET)).toBe(false)
  })

  test('tests a connection, and fails when the provider does not take the credentials', async () => {
    const { data, environment, providers, add } = prepared()
    await add('--name', 'Nuvem', '--client-id', 'hub-at-test')
    simulator.register({ clientId: 'hub-at-test', clientSecret: SECRET, redirectUris: ['http://localhost:8082/x'] })
    const well = await providers(['test', 'cloud-hub', 'nuvem'])
    expect([well.code, well.out]).toEqual([0, expect.stringMatching(/^ok {3}/)])
    const file = join(data, 'secret.txt')
    writeFileSync(file, 'another-secret\n')
    await providers(['update', 'cloud-hub', 'nuvem', '--secret-file', file])
    const unwell = await providers(['test', 'cloud-hub', 'nuvem'])
    expect([unwell.code, unwell.err]).toEqual([1, 'nuvem is not well.'])
    expect(unwell.out).toContain('FAIL')
    const questions: string[] = []
    const askSecret = async (question: string) => {
      questions.push(question)
      return SECRET
    }
    const { CHANCELA_PASSWORD: _, ...withoutSecret } = environment
    await providers(['update', 'cloud-hub', 'nuvem', '--new-secret'], { environment: withoutSecret, askSecret })
    expect(questions).toEqual(['Password of this hub at the provider: '])
    expect((await providers(['test', 'cloud-hub', 'nuvem'])).code).toBe(0)
  })

  test('takes the proxy of a provider from a file, and an empty one for none; its password is nowhere in clear', async () => {
    const proxy = await startForwardProxy({ credentials: { user: 'hub', password: 'a-senha-do-proxy' } })
    const { data, environment, providers, add } = prepared()
    environment.CHANCELA__CLOUD_HUB__PROVIDERS__ALLOWEDPROXIES__0 = '127.0.0.1'
    await add('--name', 'Nuvem', '--client-id', 'hub-at-proxy')
    simulator.register({ clientId: 'hub-at-proxy', clientSecret: SECRET, redirectUris: ['http://localhost:8082/x'] })
    const file = join(temporaryFolder(), 'proxy.txt')
    const through = async (line: string) => {
      writeFileSync(file, `${line}\n`)
      expect((await providers(['update', 'cloud-hub', 'nuvem', '--proxy-file', file])).code).toBe(0)
      return (await providers(['test', 'cloud-hub', 'nuvem'])).code
    }
    expect(await through(proxy.url.replace('//', '//hub:a-senha-do-proxy@'))).toBe(0)
    const { tunnels } = proxy
    expect(tunnels).toBeGreaterThan(0)
    expect(await through(proxy.url.replace('//', '//hub:another@'))).toBe(1)
    expect(await through('')).toBe(0)
    expect(proxy.tunnels).toBe(tunnels)
    for (const one of filesBelow(data)) expect(readFileSync(one).includes('a-senha-do-proxy')).toBe(false)
    await proxy.stop()
  })

  test('registers the hub at a provider that was added without credentials', async () => {
    const { providers, add } = prepared()
    await add('--name', 'Nuvem')
    expect((await providers(['list', 'cloud-hub'])).out).toContain('not registered')
    const form = ['--application', 'Chancela', '--email', 'ti@example.com']
    const registered = await providers(['register', 'cloud-hub', 'nuvem', ...form])
    expect(registered.out).toMatch(/^Nuvem knows this hub as \S+; its secret is sealed in the database\.$/)
    expect((await providers(['test', 'cloud-hub', 'nuvem'])).code).toBe(0)
  })

  test('refuses what cannot be with words for a person', async () => {
    const { data, environment, providers, add } = prepared()
    await add('--name', 'Nuvem')
    const refusals = [
      await add('--name', 'NUVEM'),
      await add('--name', 'Outra', '--endpoint', 'http://10.0.0.1/v0'),
      await add('--name', 'Outra', '--knob', 'hashEncoding=octal'),
      await add('--name', 'Outra', '--knob', 'speed=fast'),
      await add('--name', 'Outra', '--knob', 'maxHashesPerCall=many'),
      await providers(['add', 'cloud-hub', '--preset', 'none']),
      await providers(['remove', 'cloud-hub', 'none']),
      await providers(['list', 'session-server']),
      await providers(['add', 'cloud-hub', '--preset', 'birdid', '--client-id', 'x'], {
        environment: { ...environment, CHANCELA_PASSWORD: undefined },
        askSecret: async () => undefined,
      }),
    ]
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 1))
    expect(refusals.map(({ err }) => err)).toEqual([
      'Another provider has this name.',
      expect.stringMatching(/^The hub does not call this address.*\n\S/),
      expect.stringMatching(/^The knobs are not those of the protocol.*\nhashEncoding /),
      'Providers of the protocol psc have no knob speed.',
      'The knob maxHashesPerCall is a count, and many is none.',
      'There is no preset of this name.',
      'No provider is named none.',
      'session-server has no providers.',
      expect.stringContaining('The password of x is missing'),
    ])
    for (const file of filesBelow(data)) expect(readFileSync(file).includes(SECRET)).toBe(false)
  })
})

describe('chancela redirect-uris', () => {
  const uri = 'https://erp.example/back'
  const newKey = async ({ run }: ReturnType<typeof prepared>, ...more: readonly string[]) =>
    run('keys', ['create', 'cloud-hub', '--application', 'erp', ...more])
  const idIn = (text: string) => /Key ([0-9a-f-]{36})/.exec(text)![1]!

  test('a key is made with its redirect URIs, or not at all', async () => {
    const world = prepared()
    const made = await newKey(world, '--redirect-uri', uri, 'http://localhost:3000/')
    const { out } = await world.run('redirect-uris', ['list', 'cloud-hub', idIn(made.err)])
    expect(out).toMatch(/https:\/\/erp\.example\/back/)
    expect(out).toMatch(/http:\/\/localhost:3000\//)
    const refused = await newKey(world, '--redirect-uri', 'http://erp.example/')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('A redirect URI is absolute')])
    expect((await world.run('keys', ['list', 'cloud-hub'])).out.match(/in force/g)).toHaveLength(1)
  })

  test('they are added to a key and taken away from it', async () => {
    const world = prepared()
    const id = idIn((await newKey(world)).err)
    const on = (command: string, key = id, one = uri) => world.run('redirect-uris', [command, 'cloud-hub', key, one])
    expect(await on('add')).toMatchObject({ code: 0, out: `Users of the key ${id} may be sent back to ${uri}` })
    expect((await world.run('redirect-uris', ['list', 'cloud-hub'])).out).toContain(uri)
    expect((await on('remove')).code).toBe(0)
    const refusals = [await on('remove'), await on('add', 'none'), await on('add', id, 'erp.example')]
    expect(refusals.map(({ code, err }) => [code, err])).toEqual([
      [1, 'The key has no such redirect URI.'],
      [1, 'No key has this id.'],
      [1, expect.stringContaining('A redirect URI is absolute')],
    ])
    const other = await world.run('keys', ['create', 'sample', '--application', 'x', '--redirect-uri', uri])
    expect([other.code, other.err]).toEqual([1, 'Keys of sample have no redirect URIs.'])
  })
})
