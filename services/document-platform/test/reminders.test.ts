import { jobCounts } from '@chancela/outbox/queue'
import { DAY, HOUR } from '@chancela/service-kernel/clock'
import type { ReceivedMail } from '@chancela/testkit/mail'
import { describe, expect, test, vi } from 'vitest'
import { later, laterSwept } from './test-support/look-now.ts'
import { fileMailbox } from './test-support/mailbox.ts'
import {
  approver,
  createDocument,
  type Database,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
  startPlatform,
  testOnce,
  ticketOf,
} from './test-support/platform-world.ts'

const quiet = { disablePendingActionNotifications: true }

const { Email, fromNowOn } = await fileMailbox()
const settings = { Email, Reminders: { EveryDays: 1, MaxReminders: 2 } }

/** Starts a service with reminders; they are sent from its first poll on. */
async function startReminding(database: Database): Promise<PlatformWorld> {
  const world = await startPlatform(database, { settings })
  await vi.waitUntil(() => remindedUntil(world), { interval: 5 })
  return world
}

const remindedUntil = async ({ store }: Pick<PlatformWorld, 'store'>): Promise<string | undefined> =>
  (await store.db.selectFrom('instance_state').select('value').where('name', '=', 'reminded-until').executeTakeFirst())
    ?.value

/**
 * Advances the clock; resolves when the service has polled. Mails in transit are waited for first: leases end by the
 * same clock, and a mail whose lease has ended is sent again.
 */
async function reminded(world: PlatformWorld, time: number): Promise<void> {
  await vi.waitUntil(async () => {
    const { waiting, claimed } = await jobCounts(world.store.db, 'mail')
    return waiting + claimed === 0
  })
  await later(world, time)
  await vi.waitUntil(async () => (await remindedUntil(world)) === world.clock().toISOString())
}

const mailsTo = (inbox: readonly ReceivedMail[], address: string): number =>
  inbox.filter(({ to }) => to[0]!.address === address).length

const actionOf = async (world: PlatformWorld, id: string) =>
  (await world.json('GET', `/api/documents/${id}`)).body.flowActions[0].id as string

const remindersOf = async ({ store }: PlatformWorld, id: string) =>
  (await store.db.selectFrom('participant').select('reminders').where('document_id', '=', id).execute()).map(
    ({ reminders }) => reminders,
  )

for (const database of databases) {
  describe(`reminders on ${database}`, () => {
    const platform = sharedPlatform(database, { settings })
    const once = testOnce(database)

    test('the participants of a pending action are reminded when somebody asks for it', async () => {
      const world = await platform()
      const { mails } = fromNowOn()
      const id = await createDocument(world, [approver(people.ana), approver(people.bruno, { step: 2 })], quiet)
      const { flowActions } = (await world.json('GET', `/api/documents/${id}`)).body
      const path = '/api/notifications/flow-action-reminder'
      const remind = (flowActionId: string, documentId = id) => world.json('POST', path, { documentId, flowActionId })
      expect((await remind(flowActions[0].id)).status).toBe(200)
      expect(await mails(1)).toMatchObject([
        { to: [{ address: 'ana@example.com' }], text: expect.stringContaining('/sign?ticket=') },
      ])
      expect(await remind(flowActions[1].id)).toMatchObject({ status: 422, body: { code: 'InvalidFlowAction' } })
      expect(await remind(crypto.randomUUID())).toMatchObject({ status: 422, body: { code: 'FlowActionNotFound' } })
      expect(await remind(flowActions[0].id, crypto.randomUUID())).toMatchObject({
        status: 422,
        body: { code: 'DocumentNotFound' },
      })
      const { body: timeline } = await world.json('GET', `/api/documents/${id}/timeline`)
      expect(JSON.stringify(timeline)).toContain('Reminded')
    })

    test('people are told of everything that waits for them', async () => {
      const world = await platform()
      const { mails, inbox } = fromNowOn()
      for (const name of ['um.pdf', 'dois.pdf']) await createDocument(world, [approver(people.ana)], { ...quiet, name })
      const emails = [' Ana@example.com', 'ana@example.com', 'bruno@example.com']
      expect((await world.json('POST', '/api/users/notify-pending', { emails })).status).toBe(200)
      const [mail] = await mails(1)
      expect(mail).toMatchObject({ to: [{ address: 'ana@example.com' }] })
      expect(mail!.text).toContain('um.pdf')
      expect(mail!.text).toContain('dois.pdf')
      expect((await world.json('POST', '/api/users/notify-pending', { emails: ['x'] })).status).toBe(400)
      expect(inbox()).toHaveLength(1)
    })

    once('an instance without e-mail refuses to remind', async () => {
      const world = await startPlatform(database)
      const id = await createDocument(world, [approver(people.ana)])
      const body = { documentId: id, flowActionId: await actionOf(world, id) }
      const unavailable = { status: 422, body: { code: 'EmailNotAvailable' } }
      expect(await world.json('POST', '/api/notifications/flow-action-reminder', body)).toMatchObject(unavailable)
      expect(await world.json('POST', '/api/users/notify-pending', { emails: ['a@example.com'] })).toMatchObject(
        unavailable,
      )
    })

    test('what waits is reminded of every so many days, up to the most, and no more once it is done', async () => {
      const world = await startReminding(database)
      const { mails, inbox } = fromNowOn()
      const waiting = await createDocument(world, [approver(people.ana)], quiet)
      const done = await createDocument(world, [approver(people.bruno)], quiet)
      const silent = await createDocument(world, [approver(people.carla)], { disableNotifications: true })
      await reminded(world, DAY - HOUR)
      expect(await remindersOf(world, waiting)).toEqual([0])
      await reminded(world, HOUR)
      expect((await mails(2)).map(({ to }) => to[0]!.address).sort()).toEqual(['ana@example.com', 'bruno@example.com'])
      const { key, ticket } = await ticketOf(world, done, people.bruno.identifier)
      expect((await world.json('POST', `/api/documents/keys/${key}/approval`, { ticket })).status).toBe(200)
      await reminded(world, DAY)
      expect([await remindersOf(world, waiting), await remindersOf(world, done)]).toEqual([[2], [1]])
      await reminded(world, DAY)
      expect(await remindersOf(world, waiting)).toEqual([2])
      expect(await remindersOf(world, silent)).toEqual([0])
      await vi.waitUntil(() => mailsTo(inbox(), 'ana@example.com') >= 2, { interval: 20 })
      expect([mailsTo(inbox(), 'ana@example.com'), mailsTo(inbox(), 'carla@example.com')]).toEqual([2, 0])
    })

    test('several instances remind once', async () => {
      const world = await startReminding(database)
      const { mails } = fromNowOn()
      await Promise.all([1, 2].map(() => startPlatform(database, { after: world, settings })))
      const ids = [
        await createDocument(world, [approver(people.ana)], quiet),
        await createDocument(world, [approver(people.bruno)], quiet),
      ]
      await reminded(world, DAY + HOUR)
      await mails(2)
      for (const id of ids) expect(await remindersOf(world, id)).toEqual([1])
    })

    once('reminders can be switched off', async () => {
      const off = { Email, Reminders: { Enabled: false } }
      const world = await startPlatform(database, { settings: off })
      const id = await createDocument(world, [approver(people.ana)], quiet)
      await laterSwept(world, 4 * DAY)
      expect(await remindedUntil(world)).toBeUndefined()
      expect(await remindersOf(world, id)).toEqual([0])
    })
  })
}
