// What becomes of deliveries that do not arrive (spec 3 B; credentials-platform facts 4.4).
import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { startReceiver } from '@chancela/testkit/receiver'
import { describe, expect, test, vi } from 'vitest'
import { databases, instituteOf, organizationAt, startPlatform } from './test-support/credential-world.ts'
import { itemsAt } from './test-support/items.ts'
import { arrived, quiet, soon, types } from './test-support/receiving.ts'

for (const database of databases) {
  describe(`the retries of webhooks on ${database}`, () => {
    /** Lets the time of the service go on, and its sender see it. */
    const later = async ({ clock, store }: Awaited<ReturnType<typeof startPlatform>>, milliseconds: number) => {
      clock.advance(milliseconds)
      await store.notify(store.db, 'webhooks')
    }

    async function failing(answer: Parameters<typeof startReceiver>[0], settings = {}) {
      const world = await startPlatform(database, settings)
      const receiver = await startReceiver(answer)
      const organization = await organizationAt(world)
      const { id: instituteId } = await instituteOf(organization)
      const path = `/api/subscriptions/${organization.subscriptionId}/webhook`
      await organization.json('PUT', path, { enabled: true, url: receiver.url })
      return { world, receiver, path, ...organization, ...itemsAt(world, { ...organization, instituteId }) }
    }

    test('what is never taken is tried eleven times over some four and a half hours, and then no more', async () => {
      const { world, receiver, create } = await failing((_, response) => response.writeHead(500).end())
      await create('Degree')
      const begun = world.clock().getTime()
      const at: number[] = []
      for (let step = 0; step < 12 * 60 && at.length < 11; step++) {
        const before = receiver.received.length
        if (before > at.length) at.push(world.clock().getTime() - begun)
        await vi.waitFor(async () => expect(await dueNow(world)).toBe(false), soon)
        await later(world, 30 * SECOND)
      }
      expect(at).toHaveLength(11)
      expect(at.at(-1)).toBeGreaterThan(4 * HOUR)
      expect(at.at(-1)).toBeLessThan(5 * HOUR)
      await later(world, 12 * HOUR)
      await quiet()
      expect(receiver.received).toHaveLength(11)
    })

    test('any 2xx confirms whatever its body says; 302, 400 and 410 do not', async () => {
      const statuses = [302, 400, 410, 204, 201, 299]
      const { world, receiver, create } = await failing((_, response) => {
        const status = statuses[receiver.received.length - 1]!
        const headers = { location: '/elsewhere' }
        response.writeHead(status, headers).end(status === 204 ? undefined : '{"error":"not accepted"}')
      })
      await create('Degree')
      for (let tries = 1; tries <= 4; tries++) {
        await arrived(receiver, tries)
        await vi.waitFor(async () => expect(await dueNow(world)).toBe(false), soon)
        await later(world, 10 * MINUTE)
      }
      await create('Curriculum')
      await arrived(receiver, 5)
      await create('Curriculum')
      await arrived(receiver, 6)
      await later(world, 12 * HOUR)
      await quiet()
      expect(receiver.received.map(({ path: at }) => at)).toEqual(Array.from({ length: 6 }, () => '/hook'))
    })

    test('a retry tells of the item as it is then, at the address and with the token of then', async () => {
      const { world, receiver, create, change, json, path } = await failing((_, response) =>
        response.writeHead(503).end(),
      )
      const id = await create('AcademicTranscript')
      await arrived(receiver, 1)
      await vi.waitFor(async () => expect(await dueNow(world)).toBe(false), soon)
      const mended = await startReceiver()
      await json('PUT', path, { enabled: true, url: mended.url, authType: 'Bearer', token: 'new' })
      await change('AcademicTranscript', id, 'conclude')
      await arrived(mended, 1)
      await later(world, 10 * MINUTE)
      await arrived(mended, 2)
      expect(types(receiver)).toEqual(['AcademicTranscriptCreated'])
      expect(types(mended)).toEqual(['AcademicTranscriptConcluded', 'AcademicTranscriptConcluded'])
      expect(mended.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer new', 'Bearer new'])
    })

    test('a receiver that does not answer in time, and one that is not there, are tried again', async () => {
      const { world, receiver, create, json, path } = await failing(
        (_, response) => (receiver.received.length > 1 ? response.end() : undefined),
        { Webhooks: { AllowedHosts: ['127.0.0.1/32'], TimeoutSeconds: 1 } },
      )
      await create('Degree')
      await arrived(receiver, 1)
      await vi.waitFor(async () => expect(await failures(world)).toBe(1), soon)
      await later(world, 10 * MINUTE)
      await arrived(receiver, 2)
      await json('PUT', path, { enabled: true, url: 'http://127.0.0.1:9/hook' })
      await create('Curriculum')
      await vi.waitFor(async () => expect(await failures(world)).toBe(2), soon)
      await json('PUT', path, { enabled: true, url: receiver.url })
      await later(world, 10 * MINUTE)
      await arrived(receiver, 3)
      expect(types(receiver)).toEqual(['DegreeCreated', 'DegreeCreated', 'CurriculumCreated'])
    })

    test('events of restamps are not sent unless the instance says so', async () => {
      const { receiver, create, json } = await failing((_, response) => response.end())
      const id = await create('Restamp')
      const again = await json('POST', '/api/webhooks/resend', { kind: 'Restamp', ids: [id] })
      expect(again.body.code).toBe('webhook-disabled')
      await create('Degree')
      await arrived(receiver, 1)
      await quiet()
      expect(types(receiver)).toEqual(['DegreeCreated'])
    })
  })
}

type World = Awaited<ReturnType<typeof startPlatform>>

interface Waiting {
  readonly state: string
  readonly due_at: string
  readonly attempts: number
}

const deliveries = ({ store }: World) =>
  store.db
    .selectFrom('webhook_delivery' as never)
    .selectAll()
    .execute() as unknown as Promise<readonly Waiting[]>

const dueNow = async (world: World): Promise<boolean> => {
  const now = world.clock().toISOString()
  return (await deliveries(world)).some(({ state, due_at }) => state === 'waiting' && due_at <= now)
}

const failures = async (world: World): Promise<number> =>
  (await deliveries(world)).reduce((sum, { attempts, state }) => sum + attempts - Number(state === 'delivered'), 0)
