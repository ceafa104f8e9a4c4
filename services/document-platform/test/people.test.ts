// People belong to an organization: two organizations of one instance that know the same CPF and the same address.
import { describe, expect, test, vi } from 'vitest'
import { fileMailbox } from './test-support/mailbox.ts'
import { createDocument, databases, type PlatformWorld, sharedPlatform, signer } from './test-support/platform-world.ts'
import { browserOf, newUser, PASSWORD } from './test-support/users.ts'

const { Email, fromNowOn } = await fileMailbox()

const CPF = '390.533.447-05'
const maria = {
  name: 'Maria Confidencial da Silva',
  identifier: CPF,
  email: 'maria.private@b.example',
  phone: '+5511999990000',
}

/** The only participant of a document. */
const participantOf = async ({ json }: PlatformWorld, id: string) =>
  (await json('GET', `/api/documents/${id}`)).body.flowActions[0].user

for (const database of databases) {
  describe(`people of organizations on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Email } })

    test('a CPF tells an organization nothing that another one wrote of it', async () => {
      const [a, b] = [await platform(), await platform()]
      await createDocument(b, [signer(maria)])
      const id = await createDocument(a, [signer({ name: 'zzz', identifier: CPF })])
      expect(await participantOf(a, id)).toMatchObject({ name: 'zzz', email: null, phone: null })
    })

    test('an e-mail address alone tells nothing either', async () => {
      const [a, b] = [await platform(), await platform()]
      await createDocument(b, [signer(maria)])
      const electronic = { allowElectronicSignature: true }
      const id = await createDocument(a, [signer({ name: 'Mary', email: maria.email }, electronic)])
      expect(await participantOf(a, id)).toMatchObject({ name: 'Mary', identifier: null, phone: null })
    })

    test('the name of a person is what the organization calls it, and the sender can correct it', async () => {
      const [a, b] = [await platform(), await platform()]
      await createDocument(a, [signer({ name: 'Fulano Errado', identifier: CPF, email: 'fulano@a.example' })])
      const id = await createDocument(b, [signer(maria)])
      expect(await participantOf(b, id)).toMatchObject({ ...maria, identifier: '39053344705' })
      const corrected = await createDocument(a, [signer({ name: 'Pedro Correto', identifier: CPF })])
      expect(await participantOf(a, corrected)).toMatchObject({ name: 'Pedro Correto', email: 'fulano@a.example' })
    })

    test('an id of another organization is unknown', async () => {
      const [a, b] = [await platform(), await platform()]
      const { id } = await participantOf(b, await createDocument(b, [signer(maria)]))
      await expect(createDocument(a, [signer({ id })])).rejects.toThrow('UserNotFound')
    })

    test('a user that another organization adds does not receive the mail of this one', async () => {
      const [a, b] = [await platform(), await platform()]
      await createDocument(b, [signer(maria)], { disableNotifications: true })
      const attacker = { name: 'Maria', identifier: CPF, email: 'attacker@evil.example' }
      expect((await a.json('POST', '/api/organizations/users', attacker)).status).toBe(200)
      const { inbox } = fromNowOn()
      const id = await createDocument(b, [signer({ name: maria.name, identifier: CPF })])
      const { key } = (await b.json('GET', `/api/documents/${id}`)).body
      const mail = await vi.waitUntil(() => inbox().find(({ text }) => text.includes(key)), { interval: 20 })
      expect(mail.to.map(({ address }) => address)).toEqual([maria.email])
    })

    test('an organization adds its user whatever others did with the same CPF and address', async () => {
      const [a, b] = [await platform(), await platform()]
      const user = { name: 'Maria da Silva', identifier: CPF, email: maria.email }
      await newUser(a, { identifier: CPF, email: `${crypto.randomUUID()}@a.example` })
      await newUser(a, { email: maria.email })
      const { status, body } = await b.json('POST', '/api/organizations/users', user)
      expect({ status, body }).toMatchObject({ status: 200, body: { ...user, identifier: '39053344705' } })
      expect((await b.json('GET', '/api/organizations/users')).body.items).toEqual([body])
    })
  })

  describe(`invitations on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Email } })

    /** Adds a user and opens the mail; the ticket in it. */
    async function invited(world: PlatformWorld, over: object = {}) {
      const { inbox } = fromNowOn()
      const email = `${crypto.randomUUID()}@example.com`
      const added = await world.json('POST', '/api/organizations/users', { name: 'Bia Reis', email, ...over })
      expect(added.status).toBe(200)
      const to = added.body.email as string
      const text = await vi.waitUntil(
        () => inbox().find((mail) => mail.to.some(({ address }) => address === to))?.text,
        { interval: 20 },
      )
      const [, ticket] = /\/invitation\?ticket=(\S+)/.exec(text)!
      return { id: added.body.id as string, email: to, ticket: decodeURIComponent(ticket!) }
    }

    test('who opens one chooses a password, and is signed in as that user', async () => {
      const world = await platform()
      const { id, email, ticket } = await invited(world)
      const browser = browserOf(world)
      expect((await browser.call('GET', `/api/invitation?ticket=${encodeURIComponent(ticket)}`)).body).toEqual({
        organization: world.organization.name,
        name: 'Bia Reis',
        email,
        hasAccount: false,
      })
      const accepted = await browser.call('POST', '/api/invitation', { ticket, password: PASSWORD })
      expect(accepted).toMatchObject({ status: 200, body: { id, email, organization: { id: world.organization.id } } })
      expect((await browser.call('GET', '/api/session')).status).toBe(200)
      expect((await browserOf(world).signIn(email)).status).toBe(200)
      const { body } = await world.json('GET', '/api/organizations/users')
      expect(body.items).toMatchObject([{ id, hasAccount: true }])
    })

    test('an account that is there keeps its password and gains an organization', async () => {
      const [world, other] = [await platform(), await platform()]
      const ana = await newUser(world)
      const { ticket } = await invited(other, { name: 'Outra Ana', email: ana.email })
      const browser = browserOf(other)
      const read = await browser.call('GET', `/api/invitation?ticket=${encodeURIComponent(ticket)}`)
      expect(read.body).toMatchObject({ name: 'Outra Ana', hasAccount: true })
      expect(await browser.call('POST', '/api/invitation', { ticket, password: 'outra senha longa' })).toMatchObject({
        status: 401,
        body: { code: 'InvalidCredentials' },
      })
      const { body } = await browser.call('POST', '/api/invitation', { ticket, password: PASSWORD })
      expect(body).toMatchObject({ name: 'Outra Ana', organization: { id: other.organization.id } })
      expect(body.organizations).toHaveLength(2)
      expect((await world.json('GET', '/api/organizations/users')).body.items).toMatchObject([{ name: 'Ana Souza' }])
    })

    test('one that was accepted, withdrawn, moved to another address or forged opens nothing', async () => {
      const world = await platform()
      const refused = { status: 422, body: { code: 'InvitationInvalidOrExpired' } }
      const accept = (ticket: string) =>
        browserOf(world).call('POST', '/api/invitation', { ticket, password: PASSWORD })
      const used = await invited(world)
      expect((await accept(used.ticket)).status).toBe(200)
      expect(await accept(used.ticket)).toMatchObject(refused)
      const withdrawn = await invited(world)
      await world.json('DELETE', `/api/organizations/users/${withdrawn.id}`)
      expect(await accept(withdrawn.ticket)).toMatchObject(refused)
      const moved = await invited(world)
      await invited(world, { id: moved.id, email: `${crypto.randomUUID()}@example.com` })
      expect(await accept(moved.ticket)).toMatchObject(refused)
      expect(await accept('forged')).toMatchObject(refused)
    })

    test('of two who accept one invitation at once, one chooses the password', async () => {
      const world = await platform()
      const { email, ticket } = await invited(world)
      const passwords = ['uma senha comprida mesmo', 'outra senha comprida mesmo']
      const answers = await Promise.all(
        passwords.map((password) => browserOf(world).call('POST', '/api/invitation', { ticket, password })),
      )
      const taken = answers.map(({ status }) => status === 200)
      expect(taken.filter(Boolean)).toHaveLength(1)
      const signIns = await Promise.all(passwords.map((password) => browserOf(world).signIn(email, password)))
      expect(signIns.map(({ status }) => status === 200)).toEqual(taken)
    })

    test('an address or a CPF that is none is refused, also where the user is named by id', async () => {
      const world = await platform()
      const { id } = await invited(world)
      const change = (over: object) =>
        world.json('POST', '/api/organizations/users', { id, name: 'Bia', email: 'bia@example.com', ...over })
      for (const [field, value] of [
        ['email', 'nenhum endereço'],
        ['identifier', '111.111.111-11'],
      ] as const) {
        const { status, body } = await change({ [field]: value })
        expect([status, Object.keys(body.details)]).toEqual([400, [field]])
      }
    })

    test('a short password is refused by name, and the invitation stays', async () => {
      const world = await platform()
      const { ticket } = await invited(world)
      const browser = browserOf(world)
      const { status, body } = await browser.call('POST', '/api/invitation', { ticket, password: 'curta' })
      expect([status, Object.keys(body.details)]).toEqual([400, ['password']])
      expect((await browser.call('POST', '/api/invitation', { ticket, password: PASSWORD })).status).toBe(200)
    })
  })
}
