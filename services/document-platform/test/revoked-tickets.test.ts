// The addresses of participants, taken back: whoever may ask for one ends those that are about.
import { DAY } from '@chancela/service-kernel/clock'
import { describe, expect, test, vi } from 'vitest'
import { fileMailbox } from './test-support/mailbox.ts'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
  signer,
  ticketOf,
} from './test-support/platform-world.ts'
import { signedIn } from './test-support/users.ts'

const { Email, fromNowOn } = await fileMailbox()

const { ana, bruno } = people
const GONE = { status: 422, body: { code: 'ActionTicketInvalidOrExpired' } }

for (const database of databases) {
  describe(`addresses of participants that were revoked on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Email } })

    const revoke = ({ json }: Pick<PlatformWorld, 'json'>, id: string, whose: object = {}) =>
      json('POST', `/api/documents/${id}/action-url/revocation`, whose)

    const page = ({ json }: PlatformWorld, { key, ticket }: { key: string; ticket: string }) =>
      json('GET', `/api/documents/keys/${key}/action?ticket=${encodeURIComponent(ticket)}`)

    /** Two people who approve, in any order. */
    const twoApprovers = (world: PlatformWorld) => createDocument(world, [approver(ana), approver(bruno)])

    test('one participant’s open nothing any more, neither page nor file nor act; the others’ do', async () => {
      const world = await platform()
      const id = await twoApprovers(world)
      const [anas, brunos] = [await ticketOf(world, id, ana.identifier), await ticketOf(world, id, bruno.identifier)]
      const { contentLocation } = (await page(world, anas)).body
      expect(await revoke(world, id, { identifier: ana.identifier })).toMatchObject({
        status: 200,
        body: { revoked: 1 },
      })
      expect(await page(world, anas)).toMatchObject(GONE)
      expect(await world.json('GET', contentLocation)).toMatchObject(GONE)
      const approve = ({ key, ticket }: typeof anas) =>
        world.json('POST', `/api/documents/keys/${key}/approval`, { ticket })
      expect(await approve(anas)).toMatchObject(GONE)
      expect((await page(world, brunos)).status).toBe(200)
      expect((await approve(brunos)).status).toBe(200)
      const fresh = await ticketOf(world, id, ana.identifier)
      expect((await page(world, fresh)).status).toBe(200)
      expect((await approve(fresh)).status).toBe(200)
    })

    test('all of a document do, and each is named by address or action as well', async () => {
      const world = await platform()
      const id = await twoApprovers(world)
      const tickets = async () => [
        await ticketOf(world, id, ana.identifier),
        await ticketOf(world, id, bruno.identifier),
      ]
      const opened = async (all: Awaited<ReturnType<typeof tickets>>) =>
        Promise.all(all.map(async (one) => (await page(world, one)).status))
      const first = await tickets()
      expect((await revoke(world, id)).body).toEqual({ revoked: 2 })
      expect(await opened(first)).toEqual([422, 422])
      const second = await tickets()
      expect((await revoke(world, id, { emailAddress: ` ${ana.email.toUpperCase()} ` })).body).toEqual({ revoked: 1 })
      expect(await opened(second)).toEqual([422, 200])
      const [, action] = (await world.json('GET', `/api/documents/${id}`)).body.flowActions
      expect((await revoke(world, id, { flowActionId: action.id })).body).toEqual({ revoked: 1 })
      expect(await opened(second)).toEqual([422, 422])
      expect(await revoke(world, id, { identifier: people.carla.identifier })).toMatchObject({
        status: 422,
        body: { code: 'ParticipantNotFound' },
      })
    })

    test('those of mails end, too, and their page sends no new one', async () => {
      const world = await platform()
      const mails = fromNowOn()
      const id = await createDocument(world, [approver(ana)])
      const { key } = (await world.json('GET', `/api/documents/${id}`)).body
      const text = await vi.waitUntil(() => mails.inbox().find((mail) => mail.text.includes(key))?.text, {
        interval: 20,
      })
      const ticket = decodeURIComponent(/\/sign\?ticket=(\S+)/.exec(text)![1]!)
      expect((await page(world, { key, ticket })).status).toBe(200)
      await revoke(world, id)
      expect(await page(world, { key, ticket })).toMatchObject(GONE)
      world.clock.advance(3 * DAY)
      expect(await world.json('POST', `/api/documents/keys/${key}/action-link`, { ticket })).toMatchObject(GONE)
    })

    test('the download in the mail of a concluded document ends with the address of any participant', async () => {
      const world = await platform()
      const electronic = { allowElectronicSignature: true, disableEmailAuthenticationToSignElectronically: true }
      const id = await createDocument(world, [signer(ana, electronic)])
      const { key, ticket } = await ticketOf(world, id, ana.identifier)
      const mails = fromNowOn()
      await world.json('POST', `/api/documents/keys/${key}/electronic-signature`, { ticket })
      const download = await vi.waitUntil(
        () =>
          /\S+\/api\/documents\/content\?access_ticket=\S+/.exec(
            mails
              .inbox()
              .map(({ text }) => text)
              .join(),
          )?.[0],
        { interval: 20 },
      )
      const path = download.slice(download.indexOf('/api/'))
      expect((await fetch(`${world.baseUrl}${path}`)).status).toBe(200)
      const ofMember = (await world.json('GET', `/api/documents/${id}/ticket`)).body.location
      await revoke(world, id, { identifier: ana.identifier })
      expect(await world.json('GET', path)).toMatchObject(GONE)
      expect((await fetch(`${world.baseUrl}${ofMember}`)).status).toBe(200)
    })

    test('the timeline and the audit tell who revoked whose', async () => {
      const world = await platform()
      const administrator = await signedIn(world, { name: 'Helena Prado' })
      const id = await twoApprovers(world)
      const asked = (whose: object) => administrator.call('POST', `/api/documents/${id}/action-url/revocation`, whose)
      await asked({ identifier: ana.identifier })
      await asked({})
      const agent = { id: administrator.id, name: 'Helena Prado', type: 'User' }
      const timeline = (await world.json('GET', `/api/documents/${id}/timeline`)).body.slice(-2)
      expect(timeline).toMatchObject([
        { type: 'ActionUrlRevoked', agent, detail: ana.name },
        { type: 'ActionUrlRevoked', agent, detail: null },
      ])
      const path = `/api/organizations/${world.organization.id}/audit?kind=ActionUrlRevoked`
      const entries = (await world.json('GET', path)).body.items.filter(
        ({ subject }: { subject: { id: string } }) => subject.id === id,
      )
      const names = [ana.name, bruno.name].sort()
      expect(entries.map(({ after }: { after: { participants: string[] } }) => after.participants.sort())).toEqual([
        names,
        [ana.name],
      ])
      expect(entries[0].actor).toMatchObject({ type: 'User', id: administrator.id })
    })

    test('another organization revokes nothing, nor does a user who may not ask for them', async () => {
      const world = await platform()
      const id = await twoApprovers(world)
      const anas = await ticketOf(world, id, ana.identifier)
      const other = await signedIn(await platform())
      expect((await other.call('POST', `/api/documents/${id}/action-url/revocation`, {})).body.code).toBe(
        'DocumentNotFound',
      )
      const manager = await signedIn(world, { accessProfile: { manager: true } })
      expect((await manager.call('POST', `/api/documents/${id}/action-url/revocation`, {})).status).toBe(403)
      expect((await page(world, anas)).status).toBe(200)
    })
  })
}
