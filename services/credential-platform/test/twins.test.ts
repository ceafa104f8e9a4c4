// Two organizations with the same student, course and institution's names, in all eight kinds: nothing of one is shown to
// the other, found by it, told to it or changed by it.
import { startReceiver } from '@chancela/testkit/receiver'
import { describe, expect, test, vi } from 'vitest'
import type { EventKind } from '../src/contract/vocabulary.ts'
import { addTerms, type SearchedTable } from '../src/store/item-terms.ts'
import { tableOfKind } from '../src/store/items.ts'
import {
  type CredentialWorld,
  databases,
  instituteOf,
  organizationAt,
  sharedPlatform,
} from './test-support/credential-world.ts'
import { itemsAt } from './test-support/items.ts'
import { giveFile } from './test-support/two-institutes.ts'

const soon = { interval: 20 }

interface Twin {
  readonly kind: EventKind
  /** Its page, and the list it is in; of an institution. */
  readonly path: (id: string, instituteId: string) => string
  readonly file?: string
  readonly fileTail?: string
  readonly made?: object
  /** Whatever changes one, below its path. */
  readonly changes: readonly (readonly [tail: string, body?: object])[]
  /** Whether it has a page of its own. */
  readonly isRead?: boolean
}

const reason = { reason: 'x' }
const below = (name: string) => (id: string) => `/api/${name}/${id}`
const canceled = [['cancellation', reason]] as const
const restored = [...canceled, ['restoration', reason]] as const

const twins: readonly Twin[] = [
  {
    kind: 'Degree',
    path: below('degrees'),
    file: 'public-xml',
    changes: [...restored, ['academic-transcript', {}]],
  },
  { kind: 'Emission', path: below('emissions'), file: 'academic-documentation', changes: restored },
  {
    kind: 'Registration',
    path: below('registrations'),
    file: 'academic-documentation',
    changes: [['acceptance'], ['approval'], ['rejection', reason], ...canceled],
  },
  { kind: 'AcademicTranscript', path: below('academic-transcripts'), file: 'xml', changes: restored },
  { kind: 'Curriculum', path: below('curriculums'), file: 'xml', made: { code: 'PED-2026' }, changes: canceled },
  {
    kind: 'CancellationList',
    path: (id, institute) => `/api/institutes/${institute}/cancellation-lists/${id}`,
    file: 'xml',
    fileTail: 'file',
    changes: [],
  },
  {
    kind: 'InspectionFile',
    path: (id, institute) => `/api/institutes/${institute}/inspection-files/${id}`,
    made: { status: 'Created' },
    file: 'xml',
    fileTail: 'file',
    changes: [],
  },
  { kind: 'Restamp', path: below('restamps'), changes: [['retry']], isRead: false },
]

/** An organization with one item of each kind, and what it is told. */
async function organization(world: CredentialWorld) {
  const own = await organizationAt(world)
  const { id: instituteId } = await instituteOf(own)
  const receiver = await startReceiver()
  const webhook = { enabled: true, url: receiver.url }
  expect((await own.json('PUT', `/api/subscriptions/${own.subscriptionId}/webhook`, webhook)).status).toBe(200)
  expect((await own.json('POST', `/api/institutes/${instituteId}/integrations`, webhook)).status).toBe(200)
  const items = itemsAt(world, { subscriptionId: own.subscriptionId, instituteId })
  const ids = new Map<EventKind, string>()
  for (const { kind, file, made } of twins) {
    const id = await items.create(kind, made)
    ids.set(kind, id)
    const row = await items.rowOf(kind, id)
    if ('search_key' in row) await addTerms(world.store.db, tableOfKind[kind] as SearchedTable, [row])
    if (file) await giveFile(world, id, file, Buffer.from(`<${kind} of="${own.subscriptionId}"/>`))
  }
  const told = () => receiver.received.map(({ body }) => JSON.parse(body).data.id as string)
  return {
    ...own,
    instituteId,
    ids,
    told,
    states: () => Promise.all([...ids].map(([kind, id]) => items.rowOf(kind, id))),
  }
}

const listOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

for (const database of databases) {
  describe(`two organizations with the same of everything on ${database}`, () => {
    const open = sharedPlatform(database, { Webhooks: { RestampEvents: true } })

    test('see, find, read, change and are told of their own alone', async () => {
      const world = open()
      const both = [await organization(world), await organization(world)] as const
      for (const [own, other] of [both, both.toReversed()] as (typeof both)[]) {
        const before = await other.states()
        for (const { kind, path, file, fileTail = `files/${file}`, changes, isRead = true } of twins) {
          const [mine, foreign] = [
            path(own.ids.get(kind)!, own.instituteId),
            path(other.ids.get(kind)!, other.instituteId),
          ]
          // Under the own institution, too, an id of the other leads nowhere.
          const disguised = path(other.ids.get(kind)!, own.instituteId)
          const listed = (await own.json('GET', listOf(mine))).body.items.map(({ id }: { id: string }) => id)
          expect([kind, listed]).toEqual([kind, [own.ids.get(kind)]])
          if (isRead) expect((await own.json('GET', mine)).status).toBe(200)
          if (file) {
            const answer = await own.call('GET', `${mine}/${fileTail}`)
            expect([answer.status, await answer.text()]).toEqual([200, `<${kind} of="${own.subscriptionId}"/>`])
          }
          for (const address of [foreign, disguised]) {
            const tails = ['', ...(file ? [`/${fileTail}`] : [])]
            for (const tail of isRead ? tails : [])
              expect([kind, tail, (await own.json('GET', address + tail)).status]).toEqual([kind, tail, 404])
            for (const [tail, body] of changes)
              expect([kind, tail, (await own.json('POST', `${address}/${tail}`, body)).status]).toEqual([
                kind,
                tail,
                404,
              ])
          }
        }
        expect(await other.states()).toEqual(before)
        for (const word of ['ana', '52998224725', 'pedagogia']) await expectFound(own, word)
        const resent = await own.json('POST', '/api/webhooks/resend', {
          kind: 'Degree',
          ids: [other.ids.get('Degree')],
        })
        expect(resent.body).toMatchObject({ scheduled: 0 })
      }
      for (const { told, ids } of both) {
        await vi.waitUntil(() => told().length >= twins.length, soon)
        expect(told().toSorted()).toEqual([...ids.values()].toSorted())
      }
    })
  })
}

/** A search finds what the organization has, once in each kind that has the word. */
async function expectFound({ json, ids }: Awaited<ReturnType<typeof organization>>, word: string): Promise<void> {
  for (const { kind, path } of twins.slice(0, 5)) {
    const { items } = (await json('GET', `${listOf(path('x', ''))}?q=${word}`)).body
    const isStudents = kind !== 'Curriculum' || word === 'pedagogia'
    expect([kind, word, items.map(({ id }: { id: string }) => id)]).toEqual([
      kind,
      word,
      isStudents ? [ids.get(kind)] : [],
    ])
  }
}
