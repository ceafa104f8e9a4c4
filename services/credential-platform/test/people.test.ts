// People: invited by an Administrador, signed in with their own password, with a role in each organization.
import { administratorOperator } from '@chancela/admin-console'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { codeOf, crowdOfPasswords } from '@chancela/testkit/console'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import {
  cookieOf,
  databases,
  organizationAt,
  PASSWORD,
  personOf,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/credential-world.ts'

for (const database of databases) {
  describe(`people on ${database}`, () => {
    const open = sharedPlatform(database)
    const once = testOnce(database)

    test('an invited person chooses a password, signs in and out, and acts with the role given', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const person = await personOf(world, organization, 'Gerente')
      const { json } = callerOf(world.baseUrl)
      const signedIn = await json('POST', '/api/session', { email: person.email.toUpperCase(), password: PASSWORD })
      expect([signedIn.status, signedIn.body]).toEqual([
        200,
        {
          name: 'Ana Souza',
          email: person.email,
          secondFactor: 'off',
          subscriptions: [
            { id: organization.subscriptionId, name: expect.any(String), role: 'Gerente', disabled: false },
          ],
        },
      ])
      const browser = callerOf(world.baseUrl, { cookie: cookieOf(signedIn.headers) })
      expect((await browser.json('GET', '/api/session')).body).toEqual(signedIn.body)
      expect((await browser.json('GET', '/api/institutes')).status).toBe(200)
      expect((await browser.json('GET', '/api/applications')).body.code).toBe('forbidden')
      const out = await browser.json('DELETE', '/api/session')
      expect([out.status, cookieOf(out.headers)]).toEqual([204, 'chancela-credentials='])
      expect((await json('GET', '/api/session')).body.code).toBe('unauthorized')
      // The browser that forgot its cookie and one that did not.
      expect((await browser.json('GET', '/api/session')).body.code).toBe('unauthorized')
    })

    test('a wrong password is refused as an unknown address is, and too many of them for a while', async () => {
      const world = open()
      const person = await personOf(world, await organizationAt(world), 'Gerente')
      const { json } = callerOf(world.baseUrl)
      const attempt = async (email: string, password: string) => {
        const { status, body } = await json('POST', '/api/session', { email, password })
        return [status, body.code]
      }
      expect(await attempt('nobody@example.com', PASSWORD)).toEqual([401, 'sign-in-refused'])
      for (let tries = 0; tries < 5; tries++)
        expect(await attempt(person.email, 'wrong')).toEqual([401, 'sign-in-refused'])
      expect(await attempt(person.email, PASSWORD)).toEqual([429, 'too-many-requests'])
    })

    test('an invitation is accepted once, in time, and by nobody who was removed', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const person = await personOf(world, organization, 'Administrador')
      const { json } = callerOf(world.baseUrl)
      const accept = async (ticket: string | null) =>
        (await json('POST', '/api/session/invitation', { ticket, password: PASSWORD })).body.code
      expect(await accept(person.ticket)).toBe('invitation-invalid')
      expect(await accept(`${person.ticket}x`)).toBe('invitation-invalid')
      const invite = async () => {
        const email = `${crypto.randomUUID()}@example.com`
        const { body } = await organization.json('POST', '/api/users', { name: 'Bruno', email, role: 'Gerente' })
        return { id: body.id, ticket: new URL(body.invitationUrl).searchParams.get('ticket') }
      }
      const removed = await invite()
      expect((await organization.json('DELETE', `/api/users/${removed.id}`)).status).toBe(204)
      expect(await accept(removed.ticket)).toBe('invitation-invalid')
      const late = await invite()
      const weak = { ticket: late.ticket, password: 'password1234' }
      expect((await json('POST', '/api/session/invitation', weak)).body.code).toBe('password-too-common')
      world.clock.advance(169 * 3_600_000)
      expect(await accept(late.ticket)).toBe('invitation-invalid')
      const again = await organization.json('POST', `/api/users/${late.id}/invitation`)
      expect(await accept(new URL(again.body.invitationUrl).searchParams.get('ticket'))).toBeUndefined()
    })

    test('one person works for two organizations with one password, and names the one that is meant', async () => {
      const world = open()
      const [first, second] = [await organizationAt(world), await organizationAt(world)]
      const person = await personOf(world, first, 'Administrador')
      const { body } = await second.json('POST', '/api/users', { name: 'Ana', email: person.email, role: 'Gerente' })
      const ticket = new URL(body.invitationUrl).searchParams.get('ticket')
      const { json } = callerOf(world.baseUrl)
      // Whoever invites cannot choose the password of an account that there is.
      const taken = await json('POST', '/api/session/invitation', { ticket, password: 'another long password' })
      expect(taken.body.code).toBe('sign-in-refused')
      const accepted = await json('POST', '/api/session/invitation', { ticket, password: PASSWORD })
      expect(accepted.body.subscriptions).toHaveLength(2)
      const browser = callerOf(world.baseUrl, { cookie: cookieOf(accepted.headers) })
      expect((await browser.json('GET', '/api/users')).body.code).toBe('forbidden')
      const asked = async (id: string) =>
        (await browser.json('GET', '/api/applications', undefined, { 'X-Subscription': id })).status
      expect([await asked(first.subscriptionId), await asked(second.subscriptionId)]).toEqual([200, 403])
      expect(await asked(crypto.randomUUID())).toBe(403)
      // Removed from one, the person is still in the other.
      await second.json('DELETE', `/api/users/${body.id}`)
      expect((await browser.json('GET', '/api/applications')).status).toBe(200)
    })

    test('one Administrador who can sign in always stays', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const person = await personOf(world, organization, 'Administrador')
      const path = `/api/users/${person.id}`
      expect((await person.json('PUT', path, { role: 'Gerente' })).body.code).toBe('last-administrador')
      expect((await person.json('DELETE', path)).body.code).toBe('last-administrador')
      // Somebody who has only been invited does not count.
      const invited = { name: 'Bruno', email: `${crypto.randomUUID()}@example.com`, role: 'Administrador' }
      await person.json('POST', '/api/users', invited)
      expect((await person.json('DELETE', path)).body.code).toBe('last-administrador')
      const other = await personOf(world, organization, 'Administrador')
      const both = await Promise.all([
        person.json('PUT', `/api/users/${other.id}`, { role: 'Gerente' }),
        other.json('PUT', path, { role: 'Gerente' }),
      ])
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('users are listed, found, renamed and told apart by their addresses', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const person = await personOf(world, organization, 'Gerente')
      const { json } = organization
      const taken = await json('POST', '/api/users', { name: 'X', email: person.email.toUpperCase(), role: 'Gerente' })
      expect([taken.status, taken.body.code, Object.keys(taken.body.errors)]).toEqual([
        409,
        'already-exists',
        ['email'],
      ])
      expect((await json('PUT', `/api/users/${person.id}`, { name: ' Ana Lima ' })).body.name).toBe('Ana Lima')
      const found = await json('GET', '/api/users?q=LIMA')
      expect(found.body).toMatchObject({ totalCount: 1, page: 1, items: [{ id: person.id, accepted: true }] })
      expect((await json('GET', `/api/users/${person.id}`)).body).not.toHaveProperty('invitationUrl')
      const { body } = await json('GET', `/api/events?entityId=${person.id}`)
      expect(body.items.map(({ type }: { type: string }) => type)).toEqual([
        'UserChanged',
        'InvitationAccepted',
        'UserInvited',
      ])
    })

    once('a call of another site that changes something has no session', async () => {
      const world = open()
      const person = await personOf(world, await organizationAt(world), 'Administrador')
      const from = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const asked = { name: 'Eva', email: 'eva@example.com', role: 'Administrador' }
      expect((await person.json('POST', '/api/users', asked, from)).status).toBe(401)
    })

    once('where a second factor is required, nothing else is allowed before it is set up', async () => {
      const world = await startPlatform(database, { Auth: { PasswordCost: 10, RequireSecondFactor: true } })
      const person = await personOf(world, await organizationAt(world), 'Administrador')
      expect((await person.json('GET', '/api/users')).body.code).toBe('second-factor-required')
      expect((await person.json('GET', '/api/session')).body.secondFactor).toBe('to-enrol')
      expect((await person.json('POST', '/api/session/second-factor')).body).toEqual({
        secret: expect.any(String),
        uri: expect.stringContaining('otpauth://'),
      })
      const wrong = await person.json('PUT', '/api/session/second-factor', { code: '000000' })
      expect(wrong.body.code).toBe('second-factor-wrong')
    })

    test('people see where they are signed in, and end what they do not know', async () => {
      const world = open()
      const person = await personOf(world, await organizationAt(world), 'Gerente')
      const { json } = callerOf(world.baseUrl)
      const other = await json('POST', '/api/session', { email: person.email, password: PASSWORD })
      const elsewhere = callerOf(world.baseUrl, { cookie: cookieOf(other.headers) })
      const sessions = (await person.json('GET', '/api/session/sessions')).body
      expect(sessions).toHaveLength(2)
      const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
      expect((await person.json('DELETE', `/api/session/sessions/${id}`)).status).toBe(204)
      expect((await elsewhere.json('GET', '/api/session')).status).toBe(401)
      const again = await person.json('DELETE', `/api/session/sessions/${id}`)
      expect([again.status, again.body.code]).toEqual([404, 'browser-session-not-found'])
      await json('POST', '/api/session', { email: person.email, password: PASSWORD })
      expect((await person.json('DELETE', '/api/session/sessions')).body).toEqual({ ended: 1 })
      expect((await person.json('GET', '/api/session')).status).toBe(200)
    })

    test('second factors, people and keys are changed only soon after the password was given', async () => {
      const world = open()
      const person = await personOf(world, await organizationAt(world), 'Administrador')
      world.clock.advance(10 * MINUTE)
      const invited = { name: 'Eva', email: `${crypto.randomUUID()}@example.com`, role: 'Gerente' }
      const refusals = [
        await person.json('POST', '/api/session/second-factor'),
        await person.json('PUT', '/api/session/second-factor', { code: '123456' }),
        await person.json('POST', '/api/users', invited),
        await person.json('POST', '/api/applications', { name: 'ERP', role: 'Gerente' }),
      ]
      for (const { status, body } of refusals) expect([status, body.code]).toEqual([403, 'reauthentication-required'])
      expect((await person.json('GET', '/api/applications')).status).toBe(200)
      const wrong = await person.json('POST', '/api/session/proof', { password: 'nem perto' })
      expect([wrong.status, wrong.body.code]).toEqual([422, 'proof-refused'])
      expect((await person.json('POST', '/api/session/proof', { password: PASSWORD })).status).toBe(204)
      expect((await person.json('POST', '/api/users', invited)).status).toBe(201)
    })

    test('names that end a line or turn the direction are refused by their field', async () => {
      const world = open()
      const person = await personOf(world, await organizationAt(world), 'Administrador')
      for (const name of ['Eva\r\nBcc: x', 'E\u202eva', 'Eva\u2028'])
        for (const [path, body] of [
          ['/api/users', { name, email: 'eva@example.com', role: 'Gerente' }],
          ['/api/applications', { name, role: 'Gerente' }],
        ] as const) {
          const answer = await person.json('POST', path, body)
          expect([path, answer.status, JSON.stringify(answer.body)]).toEqual([
            path,
            400,
            expect.stringContaining('name'),
          ])
        }
    })

    test('another authenticator app needs a code of the present one', async () => {
      const world = open()
      const person = await personOf(world, await organizationAt(world), 'Gerente')
      const secretOf = async ({ json }: Pick<typeof person, 'json'>) =>
        (await json('POST', '/api/session/second-factor')).body.secret as string
      const present = await secretOf(person)
      const set = await person.json('PUT', '/api/session/second-factor', { code: codeOf(present, world.clock()) })
      const browser = callerOf(world.baseUrl, { cookie: cookieOf(set.headers) })
      const secret = await secretOf(browser)
      world.clock.advance(30 * SECOND)
      const code = codeOf(secret, world.clock())
      const taken = await browser.json('PUT', '/api/session/second-factor', { code })
      expect([taken.status, taken.body.code]).toEqual([422, 'present-code-wrong'])
      const presentCode = codeOf(present, world.clock())
      expect((await browser.json('PUT', '/api/session/second-factor', { code, presentCode })).status).toBe(200)
    })

    test('the operator removes the account of somebody who lost the way in, who is invited again', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const person = await personOf(world, organization, 'Gerente')
      const operator = administratorOperator({ ...world.context, settings: world.settings })
      await operator.remove(person.email)
      expect((await person.json('GET', '/api/institutes')).status).toBe(401)
      const again = await organization.json('POST', `/api/users/${person.id}/invitation`)
      expect(again.body).toMatchObject({ id: person.id, role: 'Gerente', accepted: false })
      const ticket = new URL(again.body.invitationUrl).searchParams.get('ticket')
      const { json } = callerOf(world.baseUrl)
      const accepted = await json('POST', '/api/session/invitation', { ticket, password: 'outra senha bem longa' })
      expect(accepted.body.subscriptions).toMatchObject([{ id: organization.subscriptionId, role: 'Gerente' }])
    })

    test('where too many passwords wait to be hashed, more are turned away, which is no guess', async () => {
      const world = open()
      const { email } = await personOf(world, await organizationAt(world), 'Gerente')
      const { json } = callerOf(world.baseUrl)
      const signIn = () => json('POST', '/api/session', { email, password: PASSWORD })
      const crowd = crowdOfPasswords()
      for (let time = 0; time < 6; time += 1) {
        const { status, body, headers } = await signIn()
        expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service-busy', '5'])
      }
      await crowd.leave()
      expect((await signIn()).status).toBe(200)
    })

    test('another password ends the other sessions', async () => {
      const world = open()
      const person = await personOf(world, await organizationAt(world), 'Gerente')
      const { json } = callerOf(world.baseUrl)
      const other = await json('POST', '/api/session', { email: person.email, password: PASSWORD })
      const elsewhere = callerOf(world.baseUrl, { cookie: cookieOf(other.headers) })
      const change = { password: PASSWORD, newPassword: 'outra senha bem longa' }
      expect((await person.json('PUT', '/api/session/password', { ...change, password: 'wrong' })).body.code).toBe(
        'password-wrong',
      )
      expect((await person.json('PUT', '/api/session/password', change)).status).toBe(200)
      expect((await elsewhere.json('GET', '/api/users')).status).toBe(401)
    })
  })
}
