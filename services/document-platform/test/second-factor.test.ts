// The second factor of accounts: an authenticator app, and recovery codes for whoever lost it.
import { join } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import { openSecrets, resealTable, retireOldKeys, rotateMasterKey } from '@chancela/service-kernel/secrets'
import { codeOf } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { documentPlatform } from '../src/index.ts'
import { administration } from './test-support/administration.ts'
import { fileMailbox } from './test-support/mailbox.ts'
import {
  databases,
  type PlatformWorld,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/platform-world.ts'
import { browserOf, PASSWORD, signedIn } from './test-support/users.ts'

const { Email, fromNowOn } = await fileMailbox()

type Browser = Pick<ReturnType<typeof browserOf>, 'call'>

const FACTOR = '/api/session/second-factor'
const proof = { password: PASSWORD }

/** Sets an app up; time goes on, so that the next code is another. */
async function enrol({ clock }: PlatformWorld, { call }: Browser, code?: string) {
  const { secret } = (await call('POST', FACTOR, { ...proof, ...(code && { code }) })).body
  const { status, body } = await call('PUT', FACTOR, { code: codeOf(secret, clock()) })
  if (status !== 200) throw new Error(`The authenticator app was not accepted: ${status}.`)
  clock.advance(30 * SECOND)
  return { secret: secret as string, recoveryCodes: body.recoveryCodes as string[] }
}

const refusalOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

for (const database of databases) {
  describe(`the second factor on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Email } })
    const once = testOnce(database)

    /** A user with an app, and a way to sign in anew. */
    async function enrolled(world: PlatformWorld) {
      const user = await signedIn(world)
      const factor = await enrol(world, user)
      const signIn = (code?: string, password = PASSWORD) =>
        browserOf(world).call('POST', '/api/session', { email: user.email, password, ...(code && { code }) })
      const shown = () => codeOf(factor.secret, world.clock())
      return { ...user, ...factor, signIn, shown }
    }

    test('a code of the app is asked for after the right password, and each is good once', async () => {
      const world = await platform()
      const { signIn, shown } = await enrolled(world)
      expect(refusalOf(await signIn())).toEqual([401, 'SecondFactorCodeRequired'])
      expect(refusalOf(await signIn(undefined, 'errada'))).toEqual([401, 'InvalidCredentials'])
      expect(refusalOf(await signIn('000000'))).toEqual([401, 'InvalidCredentials'])
      const code = shown()
      expect(await signIn(code)).toMatchObject({ status: 200, body: { secondFactor: 'on' } })
      expect(refusalOf(await signIn(code))).toEqual([401, 'InvalidCredentials'])
    })

    test('wrong codes lock the account like wrong passwords; a missing one is no guess', async () => {
      const world = await platform()
      const { signIn, shown } = await enrolled(world)
      for (let time = 0; time < 8; time += 1) await signIn()
      for (let time = 0; time < 5; time += 1) expect((await signIn('000000')).status).toBe(401)
      expect((await signIn(shown())).status).toBe(429)
    })

    test('a cookie alone neither sets, replaces nor removes it', async () => {
      const world = await platform()
      const plain = await signedIn(world)
      expect((await plain.call('POST', FACTOR, {})).status).toBe(400)
      expect(refusalOf(await plain.call('POST', FACTOR, { password: 'errada' }))).toEqual([422, 'PasswordWrong'])
      const user = await enrolled(world)
      for (const path of [FACTOR, `${FACTOR}/removal`, `${FACTOR}/recovery-codes`]) {
        expect(refusalOf(await user.call('POST', path, { password: 'errada' }))).toEqual([422, 'PasswordWrong'])
        expect(refusalOf(await user.call('POST', path, proof))).toEqual([401, 'SecondFactorCodeRequired'])
        const wrong = { ...proof, code: '000000' }
        expect(refusalOf(await user.call('POST', path, wrong))).toEqual([422, 'SecondFactorWrong'])
        world.clock.advance(15 * 60 * SECOND)
      }
    })

    test('a new app is in force once a code of it was given, and other sessions end', async () => {
      const world = await platform()
      const user = await enrolled(world)
      const other = browserOf(world)
      const signIn = { email: user.email, password: PASSWORD, code: user.shown() }
      expect((await other.call('POST', '/api/session', signIn)).status).toBe(200)
      world.clock.advance(30 * SECOND)
      const { secret } = (await user.call('POST', FACTOR, { ...proof, code: user.shown() })).body
      expect(refusalOf(await user.call('PUT', FACTOR, { code: '000000' }))).toEqual([422, 'SecondFactorWrong'])
      expect((await other.call('GET', '/api/session')).status).toBe(200)
      expect((await user.call('PUT', FACTOR, { code: codeOf(secret, world.clock()) })).status).toBe(200)
      expect((await user.call('GET', '/api/session')).status).toBe(200)
      expect((await other.call('GET', '/api/session')).status).toBe(401)
      world.clock.advance(30 * SECOND)
      expect((await user.signIn(user.shown())).status).toBe(401)
      expect((await user.signIn(codeOf(secret, world.clock()))).status).toBe(200)
    })

    test('wrong codes of a new app are guesses like others, and a restart does not forget them', async () => {
      const world = await startPlatform(database, { settings: { Email } })
      const user = await signedIn(world)
      const { secret } = (await user.call('POST', FACTOR, proof)).body
      const confirm = async (code: string) => refusalOf(await user.call('PUT', FACTOR, { code }))
      for (let guess = 0; guess < 5; guess += 1) expect(await confirm('000000')).toEqual([422, 'SecondFactorWrong'])
      expect(await confirm(codeOf(secret, world.clock()))).toEqual([429, 'TooManyRequests'])
      await world.stop()
      const after = await startPlatform(database, { after: world })
      expect((await browserOf(after).signIn(user.email)).status).toBe(429)
    })

    test('a recovery code signs in once, and new ones replace the others', async () => {
      const world = await platform()
      const user = await enrolled(world)
      const [first, second] = user.recoveryCodes as [string, string]
      expect(user.recoveryCodes).toHaveLength(10)
      expect((await user.signIn(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
      expect((await user.signIn(first)).status).toBe(401)
      const kept = JSON.stringify(await world.store.db.selectFrom('recovery_code').selectAll().execute())
      expect(kept).not.toContain(second)
      const made = await user.call('POST', `${FACTOR}/recovery-codes`, { ...proof, code: user.shown() })
      expect((await user.signIn(second)).status).toBe(401)
      expect((await user.signIn(made.body.recoveryCodes[0])).status).toBe(200)
    })

    test('its owner removes it with password and code, and the administration for who lost all', async () => {
      const world = await platform()
      const [ana, bia] = [await enrolled(world), await enrolled(world)]
      expect((await ana.call('POST', `${FACTOR}/removal`, { ...proof, code: ana.shown() })).status).toBe(200)
      expect((await ana.call('GET', '/api/session')).body.secondFactor).toBe('off')
      expect((await ana.signIn()).status).toBe(200)
      const admin = administration(world)
      const { body } = await admin('GET', `/api/users?q=${bia.email}`)
      expect((await admin('DELETE', `/api/users/${body.items[0].id}/second-factor`)).status).toBe(200)
      expect((await bia.call('GET', '/api/session')).status).toBe(401)
      expect((await bia.signIn()).status).toBe(200)
    })

    test('an organization that asks for one lets its users do nothing else before', async () => {
      const [world, other] = [await platform(), await platform()]
      const ana = await signedIn(world)
      const path = `/api/organizations/${world.organization.id}`
      const rule = { name: world.organization.name, requireSecondFactor: true }
      expect((await ana.call('PUT', path, rule)).body.requireSecondFactor).toBe(true)
      expect((await ana.call('GET', '/api/session')).body.secondFactor).toBe('to-enrol')
      expect(refusalOf(await ana.call('GET', '/api/documents'))).toEqual([403, 'SecondFactorRequired'])
      expect(refusalOf(await ana.call('PUT', path, { ...rule, requireSecondFactor: false }))[0]).toBe(403)
      expect((await world.json('GET', '/api/documents')).status).toBe(200)
      await enrol(world, ana)
      expect((await ana.call('GET', '/api/documents')).status).toBe(200)
      const elsewhere = await signedIn(other)
      expect((await elsewhere.call('GET', '/api/documents')).status).toBe(200)
      expect((await world.json('PUT', path, { name: 'Outro nome' })).body.requireSecondFactor).toBe(true)
    })

    test('an invitation to an account that has one asks for it', async () => {
      const [world, other] = [await platform(), await platform()]
      const ana = await enrolled(world)
      const user = { name: 'Ana', email: ana.email }
      const { mails } = fromNowOn()
      await other.json('POST', '/api/organizations/users', user)
      const [mail] = await mails(1)
      const ticket = decodeURIComponent(/\/invitation\?ticket=(\S+)/.exec(mail!.text!)![1]!)
      const accept = (code?: string) =>
        browserOf(other).call('POST', '/api/invitation', { ticket, password: PASSWORD, ...(code && { code }) })
      expect(refusalOf(await accept())).toEqual([401, 'SecondFactorCodeRequired'])
      expect((await accept(ana.shown())).status).toBe(200)
    })

    test('the audit tells of it, and of nothing secret', async () => {
      const world = await platform()
      const ana = await enrolled(world)
      await ana.signIn(ana.recoveryCodes[0])
      await ana.call('POST', `${FACTOR}/removal`, { ...proof, code: ana.shown() })
      const { body } = await world.json('GET', `/api/organizations/${world.organization.id}/audit`)
      const kinds = body.items.map(({ kind }: { kind: string }) => kind).toReversed()
      expect(kinds).toEqual([
        'UserAdded',
        'SignedIn',
        'SecondFactorSet',
        'RecoveryCodeUsed',
        'SignedIn',
        'SecondFactorRemoved',
      ])
      for (const secret of [ana.secret, ...ana.recoveryCodes]) expect(JSON.stringify(body)).not.toContain(secret)
    })

    once('survives a rotation of the master key, and so does the audit', async () => {
      const before = await startPlatform(database)
      const ana = await enrolled(before)
      await before.stop()
      const masterKeyFile = join(before.dataFolder, before.settings.Secrets.MasterKeyFile)
      const file = { service: 'document-platform', masterKeyFile }
      const { newest } = rotateMasterKey(file)
      for (const table of documentPlatform.sealedTables!)
        expect((await resealTable(before.store as never, openSecrets(file), table)).unopened).toEqual([])
      retireOldKeys(file, new Set([newest]))
      const after = await startPlatform(database, { after: before })
      const code = codeOf(ana.secret, after.clock())
      const signedIn = await browserOf(after).call('POST', '/api/session', {
        email: ana.email,
        password: PASSWORD,
        code,
      })
      expect(signedIn.status).toBe(200)
      const verification = `/api/organizations/${after.organization.id}/audit/verification`
      expect((await after.json('GET', verification)).body.isIntact).toBe(true)
    })
  })
}
