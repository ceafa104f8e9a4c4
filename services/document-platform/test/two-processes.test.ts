// Two operating-system processes on one database: what they do at the same moment is done once, and all of it is kept.
import { withCpfCheckDigits } from '@chancela/testkit/demo-pki'
import { describe, expect, test, vi } from 'vitest'
import { formPdf } from '../src/parts/renditions/test-support/sample-documents.ts'
import { administration } from './test-support/administration.ts'
import { fileMailbox } from './test-support/mailbox.ts'
import { createDocument, databases, people, signer, testOnce, ticketOf, upload } from './test-support/platform-world.ts'
import { processes, type ServiceProcess } from './test-support/processes.ts'
import { contentOf, holder, judges, signAs } from './test-support/signers.ts'
import { browserOf, PASSWORD } from './test-support/users.ts'

const { Email, fromNowOn } = await fileMailbox()

const byTicket = { allowElectronicSignature: true, disableEmailAuthenticationToSignElectronically: true }

const crowd = Array.from({ length: 3 }, (_, n) => ({
  name: `Pessoa ${n}`,
  identifier: withCpfCheckDigits(String(100_200_300 + n)),
  email: `pessoa${n}@example.com`,
}))

const labels = ['ana-souza', 'bruno-lima'] as const

/** Signs with a certificate, and begins again where somebody at the other process was quicker, as clients do. */
async function signsInTheEnd(world: ServiceProcess, id: string, label: string): Promise<number> {
  for (;;) {
    const { status, body } = await signAs(world, id, label)
    if (body.code !== 'DocumentChanged') return body.success ? status : 0
  }
}

const address = () => `${crypto.randomUUID()}@example.com`

/** A user who signs in with `PASSWORD`, unless another one is given. */
async function newUser(world: ServiceProcess, over: object = {}) {
  const user = { name: 'Ana Souza', email: address(), password: PASSWORD, ...over }
  const path = `/api/organizations/${world.organization.id}/users`
  expect((await administration(world)('POST', path, user)).status).toBe(200)
  return user.email
}

/** The ticket of a mail to this address, whose link goes to this page. */
async function ticketIn(inbox: ReturnType<typeof fromNowOn>['inbox'], to: string, page: string): Promise<string> {
  const isIt = (mail: ReturnType<typeof inbox>[number]) => mail.to.some((each) => each.address === to)
  const mail = await vi.waitUntil(() => inbox().find((one) => isIt(one) && one.text.includes(page)), { interval: 20 })
  return decodeURIComponent(/\?ticket=(\S+)/.exec(mail.text)![1]!)
}

const auditOf = ({ organization }: ServiceProcess) => `/api/organizations/${organization.id}/audit`

interface Entry {
  readonly subject: { readonly id: string } | null
  readonly after: unknown
}

const entriesOf = async (world: ServiceProcess, kind: string): Promise<readonly Entry[]> =>
  (await world.json('GET', `${auditOf(world)}?limit=500&kind=${kind}`)).body.items

for (const database of databases) {
  describe(`two processes on ${database}`, () => {
    const running = processes({ database, count: 2, mailPort: Email.Port, documents: { SigningWaitSeconds: 120 } })

    const once = testOnce(database)
    const both = () => running().all as readonly [ServiceProcess, ServiceProcess]

    test('people sign one document at both, with certificates and without, and every signature is in it', async () => {
      const [one, other] = both()
      const id = await createDocument(one, [
        ...labels.map((label) => signer(holder(label))),
        ...crowd.map((each) => signer(each, byTicket)),
      ])
      const actions = await Promise.all(crowd.map(({ identifier }) => ticketOf(one, id, identifier)))
      const signings = [
        ...labels.map((label, n) => signsInTheEnd(n === 0 ? one : other, id, label)),
        ...actions.map(async ({ key, ticket }, n) => {
          const path = `/api/documents/keys/${key}/electronic-signature`
          return (await (n % 2 === 0 ? one : other).json('POST', path, { ticket })).status
        }),
      ]
      expect(await Promise.all(signings)).toEqual(Array(5).fill(200))
      const isConcluded = async () => (await one.json('GET', `/api/documents/${id}`)).body.status === 'Concluded'
      await vi.waitUntil(isConcluded, { interval: 20 })
      for (const world of [one, other]) await judges.pdf((await contentOf(world, id)).bytes, 5)
    })

    test('wrong passwords at both count together, and a reset at one ends the lock at the other', async () => {
      const [one, other] = both()
      const email = await newUser(one)
      const at = (n: number) => browserOf(n % 2 === 0 ? one : other)
      const guesses = await Promise.all(Array.from({ length: 12 }, (_, n) => at(n).signIn(email, 'errada')))
      expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
      expect(guesses.filter(({ status }) => status === 429)).toHaveLength(7)
      expect(await entriesOf(other, 'SignInFailed')).toHaveLength(5)
      expect(await entriesOf(other, 'SignInLocked')).toHaveLength(1)
      for (const n of [0, 1]) expect((await at(n).signIn(email)).status).toBe(429)
      const { inbox } = fromNowOn()
      await at(0).call('POST', '/api/session/password-reset', { email })
      const ticket = await ticketIn(inbox, email, '/reset-password')
      const password = 'um trem para as onze'
      expect((await at(1).call('POST', '/api/session/password', { ticket, password })).status).toBe(200)
      for (const n of [0, 1]) expect((await at(n).signIn(email, password)).status).toBe(200)
    })

    test('a session that begins at one is known at the other, and ends at both', async () => {
      const [one, other] = both()
      const { set } = await browserOf(one).signIn(await newUser(one))
      const cookie = set!.split(';')[0]!
      const statuses = () =>
        Promise.all(
          both().map(async (each) => (await browserOf(each).call('GET', '/api/session', undefined, { cookie })).status),
        )
      expect(await statuses()).toEqual([200, 200])
      await browserOf(other).call('DELETE', '/api/session', undefined, { cookie })
      expect(await statuses()).toEqual([401, 401])
    })

    once('a reset whose process is killed right after it has ended the lock at the others', async () => {
      const [one] = both()
      const email = await newUser(one)
      for (let time = 0; time < 5; time += 1) await browserOf(one).signIn(email, 'errada')
      const { inbox } = fromNowOn()
      await browserOf(one).call('POST', '/api/session/password-reset', { email })
      const ticket = await ticketIn(inbox, email, '/reset-password')
      const doomed = await running().start({ crash: { point: 'audit entry', side: 'after', nth: 1 } })
      const password = 'um trem para as onze'
      await expect(browserOf(doomed).call('POST', '/api/session/password', { ticket, password })).rejects.toThrow()
      expect((await browserOf(one).signIn(email, password)).status).toBe(200)
    })

    test('of two who accept one invitation at both, one wins, whether the address has an account or not', async () => {
      const [one, other] = both()
      for (const [email, passwords] of [
        [address(), ['uma senha comprida mesmo', 'outra senha comprida mesmo']],
        [await knownAddress(one), [PASSWORD, PASSWORD]],
      ] as const) {
        const { inbox } = fromNowOn()
        expect((await one.json('POST', '/api/organizations/users', { name: 'Bia Reis', email })).status).toBe(200)
        const ticket = await ticketIn(inbox, email, '/invitation')
        const answers = await Promise.all(
          [one, other].map((world, n) =>
            browserOf(world).call('POST', '/api/invitation', { ticket, password: passwords[n] }),
          ),
        )
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        const winner = passwords[answers.findIndex(({ status }) => status === 200)]
        expect((await browserOf(other).signIn(email, winner)).status).toBe(200)
        const accepted = await entriesOf(one, 'InvitationAccepted')
        expect(accepted.filter(({ after }) => JSON.stringify(after).includes(email))).toHaveLength(1)
      }
    })

    test('entries of the audit that both write at once are one chain', async () => {
      const [one, other] = both()
      const before = (await one.json('GET', `${auditOf(one)}/verification`)).body.entries
      const added = Array.from({ length: 20 }, async (_, n) => {
        const user = { name: `Pessoa ${n}`, email: address() }
        return (await (n % 2 === 0 ? one : other).json('POST', '/api/organizations/users', user)).status
      })
      expect(await Promise.all(added)).toEqual(Array(20).fill(200))
      for (const world of [one, other])
        expect((await world.json('GET', `${auditOf(world)}/verification`)).body).toMatchObject({
          isIntact: true,
          entries: before + 40,
          brokenAt: null,
        })
    })

    test('a deletion that both are asked for at once is told once', async () => {
      const [one, other] = both()
      const ids = await Promise.all(Array.from({ length: 8 }, () => createDocument(one, [signer(people.carla)])))
      await Promise.all(ids.flatMap((id) => [one, other].map((world) => world.json('DELETE', `/api/documents/${id}`))))
      const told = (await entriesOf(one, 'DocumentDeleted')).map(({ subject }) => subject?.id)
      expect(told.toSorted()).toEqual(ids.toSorted())
    })

    test('what both generate is made once, with one mail for each document', async () => {
      const [one, other] = both()
      const form = await formPdf()
      const lines = Array.from({ length: 6 }, (_, n) => `Ana;${people.ana.identifier};${n}`)
      const data = Buffer.from(['nome;cpf;numero', ...lines].join('\n'))
      const begin = async (world: ServiceProcess, letter: string) => {
        const user = { name: '{{nome}}', identifier: '{{cpf}}', email: `${letter}{{numero}}@ficha.example` }
        const templateFile = { id: await upload(world, form), name: `ficha-${letter}.pdf` }
        const dataFile = { id: await upload(world, data), name: 'pessoas.csv' }
        const asked = { templateFile, dataFile, flowActions: [signer(user)] }
        return (await world.json('POST', '/api/documents/generation', asked)).body.id as string
      }
      const { inbox } = fromNowOn()
      const ids = await Promise.all([begin(one, 'a'), begin(other, 'b')])
      const progress = async (id: string) => (await other.json('GET', `/api/documents/generation/${id}`)).body
      for (const id of ids) {
        const isDone = async () => (await progress(id)).status === 'Completed'
        await vi.waitUntil(isDone, { interval: 50 })
        expect(await progress(id)).toMatchObject({ completedCount: lines.length, failedCount: 0, errors: [] })
      }
      const { items } = (await other.json('GET', '/api/documents?limit=500')).body
      const names = (items as { name: string }[]).map(({ name }) => name).filter((name) => name.startsWith('ficha-'))
      const expected = ['a', 'b'].flatMap((letter) => lines.map((_, n) => `ficha-${letter} ${n + 1}`))
      expect(names.toSorted()).toEqual(expected.toSorted())
      const told = () => inbox().flatMap(({ to }) => to.map((each) => each.address))
      const readers = ['a', 'b'].flatMap((letter) => lines.map((_, n) => `${letter}${n}@ficha.example`))
      await vi.waitUntil(() => readers.every((reader) => told().includes(reader)), { interval: 20 })
      expect(told().filter((each) => each.endsWith('@ficha.example'))).toHaveLength(readers.length)
    })
  })
}

/** An address that signs in already, for another organization. */
async function knownAddress(world: ServiceProcess): Promise<string> {
  const organization = await administration(world)('POST', '/api/admin/organizations', { name: 'Clínica Sol' })
  const email = address()
  const user = { name: 'Outra Bia', email, password: PASSWORD }
  const path = `/api/organizations/${organization.body.id}/users`
  expect((await administration(world)('POST', path, user)).status).toBe(200)
  return email
}
