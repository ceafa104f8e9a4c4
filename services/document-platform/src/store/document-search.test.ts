import { newRowId, type Store } from '@chancela/service-kernel/store'
import { testStores } from '@chancela/testkit/stores'
import { CompiledQuery, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { wordKey } from '../rules/search-key.ts'
import type { DocumentStatus } from '../rules/vocabulary.ts'
import { type DocumentFilter, EVERYTHING, searchDocuments } from './document-search.ts'
import { replaceTerms, termRows, termsNow } from './document-terms.ts'
import { documentPlatformSchema } from './migrations.ts'
import type { DocumentRow, ParticipantRow, Tables, TagRow } from './tables.ts'

const ORGANIZATION = 'organization'
/** More than the first two slices of a scan. */
const DOCUMENTS = 4_000

const statuses: readonly DocumentStatus[] = ['Concluded', 'Concluded', 'Concluded', 'Pending', 'Refused', 'Expired']

/** Documents of two organizations, some of them rare for each filter. */
function manyDocuments() {
  return Array.from({ length: DOCUMENTS }, (_, n) => {
    const id = newRowId(new Date(Date.parse('2026-11-15T08:00:00Z') + n))
    const name = n % 1000 === 11 ? `Óbito ${n}.pdf` : `${n % 10 === 5 ? 'Recibo' : 'Contrato'} de locação nº ${n}.pdf`
    const person = n % 10 === 1 ? 'Ana Souza' : `Pessoa ${n % 700}`
    const creator = n % 50 === 3 ? 'Maria das Dores' : 'Prontuário'
    const row: DocumentRow = {
      id,
      organization_id: n % 7 === 6 ? 'other' : ORGANIZATION,
      folder_id: n % 7 === 6 || n % 2 === 1 ? null : n % 100 === 4 ? 'small' : 'large',
      key: `KEY${n}`,
      name,
      name_key: wordKey(name),
      filename: name,
      mime_type: 'application/pdf',
      size: 1,
      md5: '',
      status: statuses[n % statuses.length]!,
      format: 'Pades',
      is_envelope: 0,
      force_cades: 0,
      verification_stamp: null,
      revocations: 0,
      signature_type: 'None',
      type: n % 20 === 3 ? 'Prescription' : null,
      description: null,
      expires_at: null,
      expiration_day: null,
      created_by_id: creator,
      created_by_name: creator,
      created_by_key: wordKey(creator),
      created_by_type: 'Application',
      created_at: '2026-11-15T08:00:00.000Z',
      updated_at: '2026-11-15T08:00:00.000Z',
      status_by_id: null,
      status_by_name: null,
      status_by_type: null,
      status_reason: null,
      deleted_at: n % 40 === 8 ? '2026-11-15T09:00:00.000Z' : null,
      has_signers: n % 9 === 0 ? 0 : 1,
      revision: 1,
      original_digest: '',
      current_digest: '',
      current_size: 1,
      signatures: 0,
      notified_emails: '[]',
      security_context: null,
      disable_pending_notifications: 0,
      disable_notifications: 0,
      timestamp_enabled: 0,
      additional_info: null,
      xml_namespaces: null,
    }
    const participant: ParticipantRow = {
      id,
      action_id: id,
      document_id: id,
      organization_id: row.organization_id,
      position: 0,
      person_id: person,
      name: person,
      name_key: wordKey(person),
      identifier: n % 10 === 1 ? '52998224725' : String(n % 700).padStart(11, '0'),
      email: n % 10 === 1 ? 'ana@example.com' : `p${n % 700}@example.com`,
      phone: n % 500 === 2 ? '+55 11 99999-0000' : null,
      completed_at: null,
      refused_at: null,
      refusal_reason: null,
      is_electronic: 0,
      reminders: 0,
      reminded_at: null,
      revocations: 0,
    }
    const tag: TagRow = {
      id,
      document_id: id,
      organization_id: row.organization_id,
      label: n % 3 === 0 ? 'origem' : null,
      value: n % 2 === 0 ? 'importado' : `lote ${n % 30}`,
    }
    return { row, participant, tag }
  })
}

type Document = ReturnType<typeof manyDocuments>[number]

async function write(store: Store<Tables>, documents: readonly Document[]): Promise<void> {
  for (let from = 0; from < documents.length; from += 500) {
    const some = documents.slice(from, from + 500)
    await store.transaction(async (tx) => {
      const insert = <Table extends keyof Tables>(table: Table, rows: readonly object[]) =>
        tx
          .insertInto(table)
          .values(rows as never)
          .execute()
      await insert(
        'document',
        some.map(({ row }) => row),
      )
      await insert(
        'participant',
        some.map(({ participant }) => participant),
      )
      await insert(
        'tag',
        some.map(({ tag }) => tag),
      )
      await insert(
        'document_term',
        some.flatMap(({ row, participant, tag }) => termRows(row, [participant], [], [tag])),
      )
    })
  }
}

type Asked = Partial<DocumentFilter>

const named = (value: string): Asked => ({ text: { by: 'name', value } })
const byParticipant = (
  by: NonNullable<DocumentFilter['participant']>['by'],
  value: string,
  more: Asked = {},
): Asked => ({
  participant: { by, value },
  ...more,
})

const begins = (key: string, word: string) => key.includes(` ${word}`)

/** Every filter, some combined, with the predicate each stands for. */
const cases: Readonly<Record<string, readonly [Asked, (document: Document) => boolean]>> = {
  'nothing in particular': [{}, () => true],
  'a common status': [{ statuses: ['Concluded', 'FlowConcluded'] }, ({ row }) => row.status === 'Concluded'],
  'several statuses': [{ statuses: ['Pending', 'Refused'] }, ({ row }) => /Pending|Refused/.test(row.status)],
  'a folder': [{ folderIds: ['large'] }, ({ row }) => row.folder_id === 'large'],
  'folders and a status': [
    { folderIds: ['large', 'small'], statuses: ['Expired'] },
    ({ row }) => row.folder_id !== null && row.status === 'Expired',
  ],
  'more folders than are merged': [
    { folderIds: ['small', ...Array.from({ length: 100 }, (_, n) => `folder-${n}`)] },
    ({ row }) => row.folder_id === 'small',
  ],
  'no folder': [{ folderIds: null }, ({ row }) => row.folder_id === null],
  'a type': [{ type: 'Prescription' }, ({ row }) => row.type === 'Prescription'],
  'documents with signers': [{ hasSigners: true }, ({ row }) => row.has_signers === 1],
  'a word of the name': [named('contrato'), ({ row }) => begins(row.name_key, 'contrato')],
  'the beginning of a word': [named('CONTR'), ({ row }) => begins(row.name_key, 'contr')],
  'a word with an accent': [named('obito'), ({ row }) => row.name.startsWith('Óbito')],
  'a word nobody wrote': [named('xyz'), () => false],
  'no word': [named('-'), () => false],
  'a beginning of very many words': [named('123'), ({ row }) => begins(row.name_key, '123')],
  'a short word, as it is': [named('de'), ({ row }) => row.name.includes(' de ')],
  'several words': [
    named('contrato 4'),
    ({ row }) => begins(row.name_key, 'contrato') && `${row.name_key} `.includes(' 4 '),
  ],
  'words that never meet': [named('contrato recibo'), () => false],
  'a key': [{ text: { by: 'key', value: 'KEY77' } }, ({ row }) => row.key === 'KEY77'],
  'a creator': [
    { text: { by: 'creator', value: 'maria dores' } },
    ({ row }) => row.created_by_name.startsWith('Maria'),
  ],
  'a tag': [{ text: { by: 'tag', value: 'importado' } }, ({ tag }) => tag.value === 'importado'],
  'tags with and without a label': [
    {
      tags: [
        { label: 'origem', value: 'importado' },
        { label: null, value: 'importado' },
      ],
    },
    ({ tag }) => tag.label === 'origem' && tag.value === 'importado',
  ],
  'a participant by name': [byParticipant('name', 'ana sou'), ({ participant }) => participant.name === 'Ana Souza'],
  'a participant by CPF': [
    byParticipant('identifier', '52998224725'),
    ({ participant }) => participant.identifier === '52998224725',
  ],
  'a participant by e-mail': [
    byParticipant('email', 'p33@example.com'),
    ({ participant }) => participant.email === 'p33@example.com',
  ],
  'a participant by telephone': [
    byParticipant('phone', '5511999990000'),
    ({ participant }) => participant.phone !== null,
  ],
  'a participant and a status': [
    byParticipant('name', 'pessoa', { statuses: ['Pending'] }),
    ({ row, participant }) => row.status === 'Pending' && participant.name !== 'Ana Souza',
  ],
  'a participant, a word, a tag and a folder': [
    byParticipant('name', 'pessoa', {
      ...named('contrato'),
      tags: [{ label: null, value: 'importado' }],
      folderIds: ['large'],
    }),
    ({ row, participant, tag }) =>
      row.folder_id === 'large' &&
      begins(row.name_key, 'contrato') &&
      tag.value === 'importado' &&
      participant.name !== 'Ana Souza',
  ],
}

/** Bounded otherwise: many words with few documents are collected, many folders scanned in slices, a key is unique. */
const boundedOtherwise = ['a beginning of very many words', 'more folders than are merged', 'a key']

const filterOf = (asked: Asked, isDeleted = false): DocumentFilter => ({
  organizationId: ORGANIZATION,
  isDeleted,
  tags: [],
  ...asked,
})

for (const [database, open] of Object.entries(testStores)) {
  describe(`the search for documents on ${database}`, () => {
    const documents = manyDocuments()
    let store: Store<Tables>
    beforeAll(async () => {
      store = await open<Tables>(documentPlatformSchema)
      await write(store, documents)
      await sql`analyze`.execute(store.db)
    })

    test('finds at every depth, in both orders, what a walk over all documents finds there', async () => {
      for (const isDeleted of [false, true])
        for (const [name, [asked, holds]] of Object.entries(cases)) {
          const expected = documents
            .filter(({ row }) => row.organization_id === ORGANIZATION && (row.deleted_at !== null) === isDeleted)
            .filter(holds)
            .map(({ row }) => row.id)
          for (const order of ['asc', 'desc'] as const)
            for (const offset of order === 'asc' ? [45] : [0, 700, Math.max(0, expected.length - 20)]) {
              const window = { limit: 50, offset, order, counted: EVERYTHING }
              const found = await searchDocuments(store.db, filterOf(asked, isDeleted), window)
              const all = order === 'asc' ? expected : expected.toReversed()
              expect(found, `${name}, ${order} from ${offset}`).toEqual({
                ids: all.slice(offset, offset + 50),
                total: expected.length,
              })
            }
        }
    })

    test('the pages one after the other are all documents, and none twice', async () => {
      for (const name of ['a common status', 'a word of the name', 'a participant and a status'] as const) {
        const filter = filterOf(cases[name]![0])
        const window = { offset: 0, order: 'desc', counted: 0 } as const
        const { ids: all } = await searchDocuments(store.db, filter, { ...window, limit: DOCUMENTS })
        const found: string[] = []
        for (let ids: readonly string[] = ['']; ids.length > 0; found.push(...ids))
          ids = (await searchDocuments(store.db, filter, { ...window, limit: 200, after: found.at(-1) })).ids
        expect(found, name).toEqual(all)
      }
    })

    test('counts no more than it is asked to', async () => {
      const totalOf = async (asked: Asked, counted: number) =>
        (await searchDocuments(store.db, filterOf(asked), { limit: 0, offset: 0, order: 'desc', counted })).total
      expect(await totalOf({}, 100)).toBeNull()
      expect(await totalOf(named('obito'), 100)).toBe(documents.filter(isObito).length)
      expect(await totalOf({ ...named('contrato'), statuses: ['Pending', 'Refused'] }, 100)).toBeNull()
    })

    test('every filter walks along an index, without looking at other documents and without sorting', async () => {
      for (const [name, [asked]] of Object.entries(cases).filter(([name]) => !boundedOtherwise.includes(name)))
        for (const isDeleted of [false, true])
          for (const plan of await plansOf(store, filterOf(asked, isDeleted))) {
            expect(plan, name).not.toMatch(/\bSCAN (d|t|h|p)\b|Seq Scan/)
            expect(plan, name).not.toMatch(/TEMP B-TREE FOR ORDER BY/)
            // PostgreSQL sorts the first few entries of several ranges.
            expect(plan, name).not.toMatch(/\bSort\b(?![\s\S]*-> {2}Limit)/)
          }
    })

    test('a document is found by what it is now', async () => {
      const first = documents.find(({ row }) => row.organization_id === ORGANIZATION && row.deleted_at === null)
      const renamed = { ...first!.row, name: 'Distrato.pdf' }
      await store.transaction(async (tx) =>
        replaceTerms(tx, await termsNow(tx, [first!.row]), await termsNow(tx, [renamed])),
      )
      const found = async (asked: Asked, isDeleted = false) =>
        (
          await searchDocuments(store.db, filterOf(asked, isDeleted), {
            limit: 9,
            offset: 0,
            order: 'desc',
            counted: 9,
          })
        ).ids
      expect(await found(named('distrato'))).toEqual([renamed.id])
      expect(await found(named('contrato'))).not.toContain(renamed.id)
      const deleted = { ...renamed, deleted_at: '2026-11-15T09:00:00.000Z' }
      await store.transaction(async (tx) => {
        await tx.updateTable('document').set({ deleted_at: deleted.deleted_at }).where('id', '=', deleted.id).execute()
        await replaceTerms(tx, await termsNow(tx, [renamed]), await termsNow(tx, [deleted]))
      })
      expect(await found(named('distrato'))).toEqual([])
      expect(await found(named('distrato'), true)).toEqual([renamed.id])
    })
  })
}

const bound = (target: object, value: unknown): unknown => (typeof value === 'function' ? value.bind(target) : value)

const isObito = ({ row }: Document): boolean =>
  row.name.startsWith('Óbito') && row.organization_id === ORGANIZATION && row.deleted_at === null

/** The database's plan for each query of a search. */
async function plansOf(store: Store<Tables>, filter: DocumentFilter): Promise<readonly string[]> {
  const asked: CompiledQuery[] = []
  const executor = store.db.getExecutor()
  const recording = new Proxy(executor, {
    get: (target, name) =>
      name === 'executeQuery'
        ? (query: CompiledQuery) => {
            asked.push(query)
            return target.executeQuery(query)
          }
        : bound(target, Reflect.get(target, name, target)),
  })
  const db = { getExecutor: () => recording } as unknown as Store<Tables>['db']
  await searchDocuments(db, filter, { limit: 50, offset: 10, order: 'desc', counted: 1_000 })
  return store.transaction(async (tx) => {
    // Planners scan small tables whole: with these methods disabled, only scans that a large table would need remain.
    if (store.dialect === 'postgres')
      for (const way of ['seqscan', 'bitmapscan', 'hashagg']) await sql.raw(`set local enable_${way} = off`).execute(tx)
    const plans: string[] = []
    for (const { sql: text, parameters } of asked) {
      const explain = store.dialect === 'sqlite' ? 'explain query plan' : 'explain (costs off)'
      const { rows } = await tx.executeQuery<Record<string, string>>(
        CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
      )
      plans.push(rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n'))
    }
    return plans
  })
}
