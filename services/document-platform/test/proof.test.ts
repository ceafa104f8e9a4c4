// What a copied cookie is not enough for: lasting control of an organization, or of the instance.
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { routesOf } from '@chancela/service-kernel/http'
import { codeOf } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { platformSurface } from '../src/surfaces.ts'
import { administration } from './test-support/administration.ts'
import {
  databases,
  type PlatformWorld,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/platform-world.ts'
import { browserOf, PASSWORD, signedIn } from './test-support/users.ts'

const SYSTEM = '00000000-0000-0000-0000-000000000001'

/** Each route that changes who or what has a say, or what is owed; a user proves again who they are. */
const asked = [
  'PUT /api/organizations/{orgId}',
  'POST /api/organizations/users',
  'DELETE /api/organizations/users/{userId}',
  'POST /api/organizations/{orgId}/users',
  'POST /api/organizations/{orgId}/applications',
  'POST /api/organizations/{orgId}/applications/{applicationId}/keys',
  'DELETE /api/organizations/{orgId}/applications/{applicationId}/keys/{keyId}',
  'POST /api/organizations/{orgId}/webhooks',
  'PUT /api/organizations/{orgId}/webhooks/{webhookId}',
  'DELETE /api/organizations/{orgId}/webhooks/{webhookId}',
  'PUT /api/organizations/{orgId}/webhooks/{webhookId}/state',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/secret',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/test',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/replay',
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/cancel-waiting',
]

/** The same of the instance, for users of its own organization. */
const askedOfAdministration = [
  'POST /api/admin/organizations',
  'DELETE /api/admin/organizations/{orgId}',
  'DELETE /api/admin/organizations/{orgId}/users/{userId}',
  'PUT /api/users/{subject}',
  'DELETE /api/users/{subject}/second-factor',
  'PUT /api/admin/billing-webhook',
  'PUT /api/invoices/{id}/payment',
]

/** Accesses of the daily work with documents, of reading, and of the own account, which asks in a way of its own. */
const daily = /^(documents|signatures|flows|templates|folders)\.|^(anonymous|user|monitoring)$|\.read$/

const bodies: Readonly<Record<string, object>> = {
  'PUT /api/organizations/{orgId}': { name: 'Outra' },
  'POST /api/organizations/users': { name: 'Eva', email: 'eva@example.com' },
  'POST /api/organizations/{orgId}/users': { name: 'Eva', email: 'eva@example.com' },
  'POST /api/organizations/{orgId}/applications': { name: 'ERP' },
}

type Call = (method: string, path: string, body?: object) => Promise<{ status: number; body?: { code?: string } }>

const REQUIRED = [403, 'ReauthenticationRequired']
const refusalOf = ({ status, body }: { status: number; body?: { code?: string } }) => [status, body?.code]

for (const database of databases) {
  describe(`asking users again on ${database}`, () => {
    const platform = sharedPlatform(database)
    const once = testOnce(database)

    const pathOf = ({ organization }: PlatformWorld, template: string): string =>
      template.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'orgId' ? organization.id : crypto.randomUUID()))

    const tried = (world: PlatformWorld, call: Call, routes: readonly string[]) =>
      Promise.all(
        routes.map(async (route) => {
          const [method, template] = route.split(' ') as [string, string]
          return refusalOf(await call(method, pathOf(world, template), bodies[route] ?? {}))
        }),
      )

    /** An administrator of the instance, at a browser. */
    async function administratorOfInstance(world: PlatformWorld) {
      const email = `${crypto.randomUUID()}@example.com`
      const user = { name: 'Rita Lopes', email, password: PASSWORD, accessProfile: { administrator: true } }
      await administration(world)('POST', `/api/organizations/${SYSTEM}/users`, user)
      const browser = browserOf(world)
      await browser.signIn(email)
      return browser
    }

    once('every route of management that changes something asks users again', async () => {
      const { apps } = await platform()
      const changing = routesOf(apps[platformSurface.name]!)
        .filter(({ route: { method, access } }) => method !== 'GET' && !daily.test(access ?? 'anonymous'))
        .map(({ route: { method }, template }) => `${method} ${template}`)
      expect(changing.sort()).toEqual([...asked, ...askedOfAdministration].sort())
    })

    test('a session that was proved long ago changes nothing that lasts, and reads', async () => {
      const world = await platform()
      const user = await signedIn(world)
      world.clock.advance(10 * MINUTE)
      expect(await tried(world, user.call, asked)).toEqual(asked.map(() => REQUIRED))
      const path = `/api/organizations/${world.organization.id}`
      expect((await user.call('PUT', path, { name: 'Outra' })).body.details).toEqual({ way: 'password' })
      for (const read of [path, `${path}/applications`, '/api/organizations/users', '/api/rights'])
        expect([read, (await user.call('GET', read)).status]).toEqual([read, 200])
      expect((await user.call('POST', '/api/folders', { name: 'Contratos' })).status).toBe(200)
    })

    test('the same of the instance', async () => {
      const world = await platform()
      const { call } = await administratorOfInstance(world)
      world.clock.advance(10 * MINUTE)
      expect(await tried(world, call, askedOfAdministration)).toEqual(askedOfAdministration.map(() => REQUIRED))
      expect((await call('GET', '/api/admin/organizations')).status).toBe(200)
    })

    test('soon after the sign-in nobody is asked, and applications never are', async () => {
      const world = await platform()
      const user = await signedIn(world)
      world.clock.advance(9 * MINUTE)
      const path = `/api/organizations/${world.organization.id}/applications`
      expect((await user.call('POST', path, { name: 'ERP' })).status).toBe(200)
      world.clock.advance(24 * 60 * MINUTE)
      const outcomes = await tried(world, world.json, [asked[0]!, asked[1]!])
      expect(outcomes.map(([status]) => status)).toEqual([200, 200])
    })

    test('whoever has no right learns that, not that a proof is wanted', async () => {
      const world = await platform()
      const user = await signedIn(world, { accessProfile: { operator: true } })
      world.clock.advance(10 * MINUTE)
      expect(await tried(world, user.call, [asked[0]!])).toEqual([[403, 'Forbidden']])
    })

    test('the password proves it again, for this session and its minutes alone', async () => {
      const world = await platform()
      const user = await signedIn(world)
      const elsewhere = browserOf(world)
      await elsewhere.signIn(user.email)
      world.clock.advance(10 * MINUTE)
      const path = `/api/organizations/${world.organization.id}/applications`
      const make = ({ call }: Pick<typeof elsewhere, 'call'>) =>
        call('POST', path, { name: crypto.randomUUID().slice(0, 8) })
      expect(refusalOf(await user.call('POST', '/api/session/proof', { password: 'nem perto' }))).toEqual([
        422,
        'PasswordWrong',
      ])
      expect(refusalOf(await make(user))).toEqual(REQUIRED)
      expect((await user.call('POST', '/api/session/proof', { password: PASSWORD })).status).toBe(200)
      expect((await make(user)).status).toBe(200)
      expect(refusalOf(await make(elsewhere))).toEqual(REQUIRED)
      world.clock.advance(10 * MINUTE)
      expect(refusalOf(await make(user))).toEqual(REQUIRED)
    })

    test('an account with an app needs a code, too, and wrong ones lock it', async () => {
      const world = await platform()
      const user = await signedIn(world)
      const { secret } = (await user.call('POST', '/api/session/second-factor', { password: PASSWORD })).body
      await user.call('PUT', '/api/session/second-factor', { code: codeOf(secret, world.clock()) })
      world.clock.advance(10 * MINUTE)
      const prove = async (code?: string) =>
        refusalOf(await user.call('POST', '/api/session/proof', { password: PASSWORD, ...(code && { code }) }))
      expect(await prove()).toEqual([401, 'SecondFactorCodeRequired'])
      expect((await user.call('GET', '/api/session')).status).toBe(200)
      const code = codeOf(secret, world.clock())
      expect(await prove(code)).toEqual([200, undefined])
      world.clock.advance(30 * SECOND)
      for (let guess = 0; guess < 5; guess += 1) expect(await prove(code)).toEqual([422, 'SecondFactorWrong'])
      expect(await prove(codeOf(secret, world.clock()))).toEqual([429, 'TooManyRequests'])
    })

    once('the settings say for how long a proof holds', async () => {
      const world = await startPlatform(database, { settings: { Auth: { ProofMinutes: 2 } } })
      const user = await signedIn(world)
      world.clock.advance(2 * MINUTE)
      expect(await tried(world, user.call, [asked[0]!])).toEqual([REQUIRED])
    })
  })
}
