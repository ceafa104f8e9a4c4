// Many sign one document at the same moment: they wait for each other, and nobody is refused for having been slower.
import { SECOND } from '@chancela/service-kernel/clock'
import { withCpfCheckDigits } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  startPlatform,
  testOnce,
  ticketOf,
  upload,
} from './test-support/platform-world.ts'
import {
  clock,
  complete,
  contentOf,
  holder,
  judges,
  signAs,
  signHash,
  start,
  trusting,
} from './test-support/signers.ts'

const byTicket = { allowElectronicSignature: true, disableEmailAuthenticationToSignElectronically: true }

/** As many people as a document may have. */
const crowd = Array.from({ length: 30 }, (_, n) => ({
  name: `Pessoa ${n}`,
  identifier: withCpfCheckDigits(String(100_200_300 + n)),
  email: `pessoa${n}@example.com`,
}))

const labels = ['ana-souza', 'bruno-lima', 'davi-moreira'] as const
const ana = holder('ana-souza')
const bruno = holder('bruno-lima')

interface Action {
  readonly key: string
  readonly ticket: string
}

const sign = ({ json }: PlatformWorld, { key, ticket }: Action) =>
  json('POST', `/api/documents/keys/${key}/electronic-signature`, { ticket })

type Who = { readonly identifier: string }

const actionsOf = <People extends readonly Who[]>(world: PlatformWorld, id: string, people: readonly [...People]) =>
  Promise.all(people.map(({ identifier }) => ticketOf(world, id, identifier))) as Promise<{
    [One in keyof People]: Action
  }>

/** Settings of a service that trusts the PKI; `Documents` says how long people wait. */
const waiting = (Documents: { SigningWaitSeconds?: number; SigningReservationSeconds?: number }) => ({
  ...trusting(),
  Documents,
})

const concluded = (world: PlatformWorld, id: string) =>
  vi.waitUntil(async () => (await world.json('GET', `/api/documents/${id}`)).body.status === 'Concluded', {
    interval: 20,
  })

for (const database of databases) {
  describe(`many at once on ${database}`, () => {
    // Patience for a busy machine.
    const open = sharedPlatform(database, { settings: waiting({ SigningWaitSeconds: 120 }), clock })
    const once = testOnce(database)

    once('thirty sign electronically in one step, and every signature is in the document', async () => {
      const world = await open()
      const id = await createDocument(
        world,
        crowd.map((one) => signer(one, byTicket)),
      )
      const actions = await actionsOf(world, id, crowd)
      const answers = await Promise.all(actions.map((action) => sign(world, action)))
      expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
      await concluded(world, id)
      await judges.pdf((await contentOf(world, id)).bytes, 30)
    })

    once('a dozen at two instances that know nothing of each other, too', async () => {
      const settings = waiting({ SigningWaitSeconds: 120 })
      const world = await startPlatform(database, { settings, clock })
      const other = await startPlatform(database, { settings, after: world })
      const dozen = crowd.slice(0, 12)
      const id = await createDocument(
        world,
        dozen.map((one) => signer(one, byTicket)),
      )
      const actions = await actionsOf(world, id, dozen)
      const answers = await Promise.all(actions.map((action, n) => sign(n % 2 === 0 ? world : other, action)))
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
      await concluded(world, id)
      await judges.pdf((await contentOf(world, id)).bytes, 12)
    })

    test('three sign with certificates, and others without, in one step', async () => {
      const world = await open()
      const some = crowd.slice(0, 5)
      const id = await createDocument(world, [
        ...labels.map((label) => signer(holder(label))),
        ...some.map((one) => signer(one, byTicket)),
      ])
      const actions = await actionsOf(world, id, some)
      const answers = await Promise.all([
        ...labels.map((label) => signAs(world, id, label)),
        ...actions.map((action) => sign(world, action)),
      ])
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
      expect(answers.slice(0, 3).map(({ body }) => body.success)).toEqual([true, true, true])
      await concluded(world, id)
      await judges.pdf((await contentOf(world, id)).bytes, 8)
    })

    test('who begins with a certificate and goes away holds others up for a moment, not longer', async () => {
      const world = await startPlatform(database, { settings: waiting({ SigningReservationSeconds: 1 }), clock })
      const id = await createDocument(world, [signer(ana), signer(bruno), signer(people.carla, byTicket)])
      const [first, second, third] = await actionsOf(world, id, [ana, bruno, people.carla])
      const left = await start(world, first, 'ana-souza')
      const begun = performance.now()
      const [signed, electronic] = await Promise.all([signAs(world, id, 'bruno-lima'), sign(world, third)])
      expect([signed.body.success, electronic.status]).toEqual([true, 200])
      expect(performance.now() - begun).toBeGreaterThan(0.8 * SECOND)
      expect(await start(world, second, 'bruno-lima')).toMatchObject({ body: { code: 'InvalidFlowAction' } })
      // What was begun before them is told the truth: the document has changed.
      const signature = await signHash('ana-souza', left.body.toSignHash)
      expect(await complete(world, first.key, left.body.token, signature)).toMatchObject({
        status: 422,
        body: { code: 'DocumentChanged' },
      })
      expect((await signAs(world, id, 'ana-souza')).body.success).toBe(true)
      await concluded(world, id)
      await judges.pdf((await contentOf(world, id)).bytes, 3)
    })

    test('a reservation ends also where another instance completes the signature', async () => {
      // Who waited for the end of the time would be told that the document is busy.
      const settings = waiting({ SigningWaitSeconds: 60, SigningReservationSeconds: 120 })
      const world = await startPlatform(database, { settings, clock })
      const other = await startPlatform(database, { settings, after: world })
      const id = await createDocument(world, [signer(ana), signer(people.carla, byTicket)])
      const [first, second] = await actionsOf(world, id, [ana, people.carla])
      const { body } = await start(world, first, 'ana-souza')
      const signature = await signHash('ana-souza', body.toSignHash)
      expect((await complete(other, first.key, body.token, signature)).body.success).toBe(true)
      expect((await sign(world, second)).status).toBe(200)
    })

    once('who begins again, or signs in another way, does not wait for what they began themselves', async () => {
      // Who waited would be told that the document is busy.
      const settings = waiting({ SigningWaitSeconds: 60, SigningReservationSeconds: 120 })
      const world = await startPlatform(database, { settings, clock })
      const id = await createDocument(world, [signer(ana, byTicket), signer(bruno)])
      const [action] = await actionsOf(world, id, [ana])
      for (let times = 0; times < 5; times += 1) expect((await start(world, action, 'ana-souza')).status).toBe(200)
      expect((await sign(world, action)).status).toBe(200)
      expect((await signAs(world, id, 'bruno-lima')).body.success).toBe(true)
      await judges.pdf((await contentOf(world, id)).bytes, 2)
    })

    once('who waited too long for others is told so, and can sign later', async () => {
      const settings = waiting({ SigningWaitSeconds: 1, SigningReservationSeconds: 3 })
      const world = await startPlatform(database, { settings, clock })
      const id = await createDocument(world, [signer(ana), signer(people.carla, byTicket)])
      const [first, second] = await actionsOf(world, id, [ana, people.carla])
      const { body } = await start(world, first, 'ana-souza')
      expect(await sign(world, second)).toMatchObject({ status: 422, body: { code: 'DocumentBusy' } })
      const signature = await signHash('ana-souza', body.toSignHash)
      expect((await complete(world, first.key, body.token, signature)).body.success).toBe(true)
      expect((await sign(world, second)).status).toBe(200)
      await judges.pdf((await contentOf(world, id)).bytes, 2)
    })

    once('nobody signs a file unseen that took the place of another while they waited', async () => {
      const world = await startPlatform(database, { settings: waiting({ SigningReservationSeconds: 2 }), clock })
      const id = await createDocument(world, [signer(ana), signer(bruno), signer(people.carla, byTicket)])
      const [first, second, third] = await actionsOf(world, id, [ana, bruno, people.carla])
      await start(world, first, 'ana-souza')
      const waitingOnes = [start(world, second, 'bruno-lima'), sign(world, third)]
      await new Promise((resolve) => setTimeout(resolve, 300))
      const file = { id: await upload(world, samplePdf('Outro contrato')), name: 'b.pdf', displayName: 'b.pdf' }
      expect((await world.json('POST', `/api/documents/${id}/versions`, { file })).status).toBe(200)
      for (const answer of await Promise.all(waitingOnes))
        expect(answer).toMatchObject({ status: 422, body: { code: 'DocumentChanged' } })
    })

    test('where nothing is reserved, of two that began together the later one begins again', async () => {
      const world = await startPlatform(database, { settings: waiting({ SigningReservationSeconds: 0 }), clock })
      const id = await createDocument(world, [signer(ana), signer(bruno), approver(people.carla, { step: 2 })])
      const two = ['ana-souza', 'bruno-lima'] as const
      const prepared = await Promise.all(
        two.map(async (label) => {
          const action = await ticketOf(world, id, holder(label).identifier)
          const { body } = await start(world, action, label)
          return { key: action.key, token: body.token, signature: await signHash(label, body.toSignHash) }
        }),
      )
      const answers = await Promise.all(prepared.map((one) => complete(world, one.key, one.token, one.signature)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
      expect(answers.find(({ status }) => status === 422)!.body.code).toBe('DocumentChanged')
      const late = two[answers.findIndex(({ status }) => status === 422)]!
      expect((await signAs(world, id, late)).body.success).toBe(true)
      await judges.pdf((await contentOf(world, id)).bytes, 2)
    })
  })
}
