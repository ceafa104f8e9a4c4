// Each of the 38 types of events is caused over HTTP, as clients cause it, and arrives whole where the specification says:
// at the organization's address or at the institution's (spec 3 B).
import { describe, expect, test, vi } from 'vitest'
import { eventTypes } from '../src/contract/event-types.ts'
import { instituteEventKinds } from '../src/contract/vocabulary.ts'
import { databases, sharedPlatform } from './test-support/credential-world.ts'
import { expectWholeData } from './test-support/event-data.ts'
import { type Hearer, lives } from './test-support/event-lives.ts'
import { kindOf } from './test-support/event-samples.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { bodies, soon } from './test-support/receiving.ts'

const all = Object.values(eventTypes).flat()

test('for every type there is a row that says how it is caused', () => {
  const caused = lives.flatMap(({ steps }) => steps.flatMap(({ told }) => told.map(([, type]) => type)))
  expect([...new Set(caused)].toSorted()).toEqual(all.toSorted())
  expect(all).toHaveLength(38)
})

const settings = { ...signingSettings, Webhooks: { AllowedHosts: ['127.0.0.1/32'], RestampEvents: true } }

/** The event of a type about the hearer's item, which may be preceded by others. */
const heard = ({ receiver, path }: Hearer, type: string, from: number) =>
  vi.waitFor(() => {
    const since = bodies(receiver).slice(from)
    expect(since.map((event) => event.type)).toContain(type)
    const [event] = since.filter((one) => one.type === type && path.endsWith(`/${one.data.id}`))
    expect(event?.type).toBe(type)
    return event
  }, soon)

/** Organizations hear nothing of what is the institution's, and the other way round. */
function expectOwnKinds({ receiver, subscriptionId }: Hearer): void {
  for (const event of bodies(receiver)) {
    expectWholeData(event)
    const isInstitutes = (instituteEventKinds as readonly string[]).includes(kindOf(event.type))
    expect([event.type, isInstitutes, event.data.subscriptionId]).toEqual([
      event.type,
      subscriptionId === undefined,
      subscriptionId,
    ])
  }
}

for (const database of databases) {
  describe(`events on ${database}`, () => {
    const open = sharedPlatform(database, settings, clock)

    for (const { name, open: begin, steps, isLast } of lives) {
      // Time goes forward for the one PKI of this file.
      if (isLast && database !== databases.at(-1)) continue
      test(`${name}: each change arrives whole, at its address and at no other`, async () => {
        const scene = await begin(open())
        const hearers = Object.entries(scene.hearers)
        for (const { by, told, act } of steps) {
          const before = new Map(hearers.map(([who, { receiver }]) => [who, receiver.received.length]))
          await act(scene as never)
          for (const [who, type, data = {}] of told) {
            const event = await heard(scene.hearers[who]!, type, before.get(who)!)
            expect([by, event.data]).toEqual([by, expect.objectContaining(data)])
          }
        }
        for (const [, hearer] of hearers) expectOwnKinds(hearer)
      })
    }
  })
}
