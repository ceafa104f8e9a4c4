import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloudHub } from '@chancela/cloud-hub'
import { credentialPlatform } from '@chancela/credential-platform'
import { systemClock } from '@chancela/service-kernel/clock'
import { sessionServer } from '@chancela/session-server'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { beforeAll, describe, expect, test } from 'vitest'
import { cli, filesBelow, temporaryFolder } from '../test/operator-cli.ts'
import type { CommandContext } from './index.ts'

const PASSWORD = 'uma senha bem comprida'
const PIN = 'Q7-cofre-31'

describe.each(['session-server', 'cloud-hub'])('chancela administrators of %s', (service) => {
  const create = (data: string, email: string, changes: Partial<CommandContext> = {}) =>
    cli(['administrators', 'create', service, '--email', email, '--name', 'Ana Souza', '--data', data], {
      environment: { CHANCELA_PASSWORD: PASSWORD },
      ...changes,
    })

  test('makes the first administrator, who signs in once the service runs', async () => {
    const data = temporaryFolder()
    const { code, out } = await create(data, 'Ana@example.com')
    expect([code, out]).toEqual([
      0,
      `Ana@example.com administers ${service}, and sets an authenticator app up at the first sign-in.`,
    ])
    expect(await signIn(data, service, 'ana@example.com')).toEqual([200, 'to-enrol'])
    const listed = await cli(['administrators', 'list', service, '--data', data])
    expect(listed.out).toMatch(/ana@example\.com +Ana Souza +administrator +none +\S+Z +\S+Z/)
    for (const file of filesBelow(data)) expect(readFileSync(file).includes(PASSWORD)).toBe(false)
  })

  test('asks for the password where nobody gave one, or takes the first line of a file', async () => {
    const data = temporaryFolder()
    const questions: string[] = []
    const askSecret = async (question: string) => {
      questions.push(question)
      return PASSWORD
    }
    expect((await create(data, 'ana@example.com', { environment: {}, askSecret })).code).toBe(0)
    expect(questions).toEqual(['Password of ana@example.com: '])
    const file = join(data, 'password.txt')
    writeFileSync(file, `${PASSWORD}\n`)
    const args = ['administrators', 'create', service, '--email', 'rui@example.com', '--name', 'Rui']
    expect((await cli([...args, '--password-file', file, '--data', data])).code).toBe(0)
  })

  test('removes administrators but for the last one, and forgets authenticator apps', async () => {
    const data = temporaryFolder()
    await create(data, 'ana@example.com')
    await create(data, 'rui@example.com')
    const on = (command: string, email: string) => cli(['administrators', command, service, email, '--data', data])
    expect(await on('reset-second-factor', 'RUI@example.com')).toMatchObject({ code: 0 })
    expect(await on('remove', 'rui@example.com')).toMatchObject({ code: 0 })
    expect(await on('remove', 'rui@example.com')).toMatchObject({
      code: 1,
      err: 'No administrator has the address rui@example.com.',
    })
    expect(await on('remove', 'ana@example.com')).toMatchObject({ code: 1, err: 'One administrator always stays.' })
  })

  test('gives a role when somebody is made and afterwards; one administrator stays', async () => {
    const data = temporaryFolder()
    await create(data, 'ana@example.com')
    const at = ['--data', data]
    const rui = ['administrators', 'create', service, '--email', 'rui@example.com', '--name', 'Rui Lima']
    const environment = { CHANCELA_PASSWORD: PASSWORD }
    expect(await cli([...rui, '--role', 'auditor', ...at], { environment })).toMatchObject({
      code: 0,
      out: `rui@example.com reads everything of ${service} and changes nothing, and sets an authenticator app up at the first sign-in.`,
    })
    const setRole = (email: string, role: string) => cli(['administrators', 'set-role', service, email, role, ...at])
    const list = async () => (await cli(['administrators', 'list', service, ...at])).out
    expect(await list()).toMatch(/rui@example.com +Rui Lima +auditor +none/)
    expect(await setRole('RUI@example.com', 'support')).toMatchObject({ code: 0 })
    expect(await list()).toMatch(/rui@example.com +Rui Lima +support +none/)
    const last = { code: 1, err: 'One administrator always stays.' }
    expect(await setRole('ana@example.com', 'auditor')).toMatchObject(last)
    expect(await cli(['administrators', 'remove', service, 'ana@example.com', ...at])).toMatchObject(last)
    expect((await setRole('rui@example.com', 'owner')).code).not.toBe(0)
    expect(await setRole('eva@example.com', 'auditor')).toMatchObject({
      code: 1,
      err: 'No administrator has the address eva@example.com.',
    })
  })

  test('refuses what cannot be with one sentence', async () => {
    const data = temporaryFolder()
    await create(data, 'ana@example.com')
    const refusals = [
      await create(data, 'ANA@example.com'),
      await create(data, 'nobody'),
      await create(data, 'rui@example.com', { environment: { CHANCELA_PASSWORD: 'short' } }),
      await create(data, 'rui@example.com', { environment: {}, askSecret: async () => undefined }),
      await cli(['administrators', 'list', 'sample', '--data', data]),
    ]
    expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1])
    expect(refusals.map(({ err }) => err)).toEqual([
      'Another administrator has this address.',
      'nobody is no e-mail address.',
      'The password needs at least 12 characters.',
      expect.stringContaining('The password of rui@example.com is missing'),
      'sample has no administrators of its own.',
    ])
  })
})

test('chancela administrators gives no role where people have theirs in subscriptions', async () => {
  const data = temporaryFolder()
  const made = ['administrators', 'create', 'credential-platform', '--email', 'ana@example.com', '--name', 'Ana Souza']
  const at = { environment: { CHANCELA_PASSWORD: PASSWORD }, services: [sessionServer, cloudHub, credentialPlatform] }
  const err = 'The people of this service have roles in its subscriptions, and none beside them.'
  expect(await cli([...made, '--role', 'auditor', '--data', data], at)).toMatchObject({ code: 1, err })
  expect((await cli([...made, '--data', data], at)).code).toBe(0)
  const change = ['administrators', 'set-role', 'credential-platform', 'ana@example.com', 'support', '--data', data]
  expect(await cli(change, at)).toMatchObject({ code: 1, err })
})

describe('chancela vault', () => {
  let files: Record<'ana' | 'bruno', Buffer>
  beforeAll(async () => {
    const pki = await createDemoPki({ keys: cachedKeys(), clock: systemClock, baseUrl: 'http://pki.example' })
    const fileOf = (label: string) => pki.pkcs12(pki.certificate(label), { password: PIN })
    files = { ana: fileOf('ana-souza'), bruno: fileOf('bruno-lima') }
  })
  const prepared = () => {
    const data = temporaryFolder()
    const path = (name: keyof typeof files) => {
      const file = join(data, `${name}.p12`)
      writeFileSync(file, files[name])
      return file
    }
    const vault = (args: readonly string[], password = PIN) =>
      cli(['vault', ...args, '--data', data], { environment: { CHANCELA_PASSWORD: password } })
    return { data, path, vault }
  }

  test('takes a certificate in, puts another in its place, and takes it out', async () => {
    const { data, path, vault } = prepared()
    const imported = await vault(['import', 'session-server', '--file', path('ana')])
    expect(imported.out).toMatch(/^\S.* is in the vault for 52998224725: [0-9a-f-]{36}$/)
    const id = /[0-9a-f-]{36}$/.exec(imported.out)![0]
    const listed = await vault(['list', 'session-server', '--cpf', '529.982.247-25'])
    expect(listed.out).toMatch(new RegExp(`${id} +52998224725 +STALE +\\S+Z`))

    const replaced = await vault(['replace', 'session-server', id, '--file', path('bruno')])
    expect(replaced.out).toMatch(new RegExp(`took the place of ${id} for 52998224725: [0-9a-f-]{36}$`))
    const fresh = /[0-9a-f-]{36}$/.exec(replaced.out)![0]
    expect((await vault(['remove', 'session-server', fresh])).code).toBe(0)
    expect((await vault(['list', 'session-server'])).out.split('\n')).toHaveLength(2)
    for (const file of filesBelow(join(data, 'session-server'))) expect(readFileSync(file).includes(PIN)).toBe(false)
  })

  test('holds a certificate for another CPF when told so', async () => {
    const { path, vault } = prepared()
    const args = ['import', 'session-server', '--file', path('ana'), '--cpf', '111.444.777-35']
    expect((await vault(args)).out).toContain('for 11144477735')
  })

  test('refuses what cannot be with one sentence', async () => {
    const { path, vault } = prepared()
    await vault(['import', 'session-server', '--file', path('ana')])
    const refusals = [
      await vault(['import', 'session-server', '--file', path('ana')]),
      await vault(['import', 'session-server', '--file', path('bruno')], 'another PIN'),
      await vault(['import', 'session-server', '--file', path('bruno'), '--cpf', '12345678900']),
      await vault(['remove', 'session-server', 'none']),
      await vault(['list', 'sample']),
    ]
    expect(refusals.map(({ code, err }) => [code, err])).toEqual([
      [1, 'The certificate is already held for this CPF.'],
      [1, 'The PIN does not open the file.'],
      [1, '12345678900 is no CPF.'],
      [1, 'No certificate has this id.'],
      [1, 'sample has no vault.'],
    ])
  })
})

/** Starts the service, signs in at its console and stops it; returns the status and the second factor's state. */
async function signIn(data: string, service: string, email: string) {
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const told: string[] = []
  let listening = () => {}
  const started = new Promise<void>((resolve) => {
    listening = resolve
  })
  const environment = {
    CHANCELA__COMMON__HTTP__PORT: '0',
    CHANCELA__COMMON__CONSOLE__PORT: '0',
    CHANCELA__COMMON__LOG__LEVEL: 'silent',
  }
  const untilStopped = () => {
    listening()
    return stopped
  }
  const log = (text: string) => void told.push(text)
  const running = cli(['start', service, '--data', data], { environment, log, untilStopped })
  await started
  const [, consoleUrl] = new RegExp(`${service}-console +(http:\\S+)`).exec(told.join('\n'))!
  const answer = await fetch(`${consoleUrl}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const { secondFactor } = (await answer.json()) as { secondFactor: string }
  stop()
  expect((await running).code).toBe(0)
  return [answer.status, secondFactor]
}
