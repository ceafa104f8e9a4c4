// The search index of documents: a row for each word of a name, CPF, address, tag. The documents of one term are a
// range of the primary key in creation order, so that the newest are read without the others.
import type { Db } from '@chancela/service-kernel/store'
import { sql, type Transaction } from 'kysely'
import { digitsOf, searchWords } from '../rules/search-key.ts'
import type { DocumentRow, DocumentTermRow, ObserverRow, ParticipantRow, Tables, TagRow } from './tables.ts'

/** Longer texts are matched by their first characters: databases limit the size of index entries. */
const LONGEST = 200

const term = (kind: string, text: string): string => `${kind}${text.slice(0, LONGEST)}`

/** Terms of each kind have a prefix letter of their own. */
export const terms = {
  name: (word: string) => term('n', word),
  creator: (word: string) => term('c', word),
  participant: (word: string) => term('p', word),
  identifier: (digits: string) => term('i', digits),
  email: (address: string) => term('e', address),
  phone: (number: string) => term('f', digitsOf(number)),
  tag: (value: string) => term('t', value),
  involved: (userId: string) => term('v', userId),
  labeledTag: (label: string, value: string) => term('l', `${label}\u001f${value}`),
} as const

/** Index partition of an organization's terms: deleted documents have their own, so that no list scans them. */
export const shelfOf = (organizationId: string, isDeleted: boolean): string =>
  isDeleted ? `${organizationId}~` : organizationId

type Named = Pick<
  DocumentRow,
  'id' | 'organization_id' | 'deleted_at' | 'name' | 'created_by_id' | 'created_by_name' | 'created_by_type'
>
type Participant = Pick<ParticipantRow, 'person_id' | 'name' | 'identifier' | 'email' | 'phone'>
type Observer = Pick<ObserverRow, 'person_id'>
type Tag = Pick<TagRow, 'label' | 'value'>

/** All terms of a document. */
export function termRows(
  document: Named,
  participants: readonly Participant[],
  observers: readonly Observer[],
  tags: readonly Tag[],
): readonly DocumentTermRow[] {
  const found = [
    ...searchWords(document.name).map(terms.name),
    ...searchWords(document.created_by_name).map(terms.creator),
    ...participants.flatMap(participantTerms),
    ...involved(document, [...participants, ...observers]).map(terms.involved),
    ...tags.flatMap(({ label, value }) => [terms.tag(value), ...(label ? [terms.labeledTag(label, value)] : [])]),
  ]
  const shelf = shelfOf(document.organization_id, document.deleted_at !== null)
  return [...new Set(found)].map((term) => ({ shelf, term, document_id: document.id }))
}

/** Users who may read the document whatever their roles: who created it, takes part in it or observes it. */
const involved = (document: Named, others: readonly { readonly person_id: string }[]): readonly string[] => [
  ...(document.created_by_type === 'User' ? [document.created_by_id] : []),
  ...others.map(({ person_id }) => person_id),
]

const participantTerms = ({ name, identifier, email, phone }: Participant): readonly string[] => [
  ...searchWords(name).map(terms.participant),
  ...(identifier ? [terms.identifier(identifier)] : []),
  ...(email ? [terms.email(email)] : []),
  ...(phone ? [terms.phone(phone)] : []),
]

/** The terms of documents from their current rows. */
export async function termsNow(db: Db<Tables>, documents: readonly Named[]): Promise<readonly DocumentTermRow[]> {
  const ids = documents.map(({ id }) => id)
  if (ids.length === 0) return []
  const [participants, observers, tags] = [
    await db.selectFrom('participant').selectAll().where('document_id', 'in', ids).execute(),
    await db.selectFrom('observer').selectAll().where('document_id', 'in', ids).execute(),
    await db.selectFrom('tag').selectAll().where('document_id', 'in', ids).execute(),
  ]
  const [participantsOf, observersOf, tagsOf] = [byDocument(participants), byDocument(observers), byDocument(tags)]
  return documents.flatMap((document) =>
    termRows(
      document,
      participantsOf.get(document.id) ?? [],
      observersOf.get(document.id) ?? [],
      tagsOf.get(document.id) ?? [],
    ),
  )
}

function byDocument<Row extends { readonly document_id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const others = found.get(row.document_id)
    if (others) others.push(row)
    else found.set(row.document_id, [row])
  }
  return found
}

/** Most rows of one statement: databases limit its parameters. */
const AT_ONCE = 5_000

/** Updates the terms of documents after a change. */
export async function replaceTerms(
  tx: Transaction<Tables>,
  before: readonly DocumentTermRow[],
  after: readonly DocumentTermRow[],
): Promise<void> {
  const gone = without(before, after)
  for (let from = 0; from < gone.length; from += AT_ONCE) {
    const keys = gone
      .slice(from, from + AT_ONCE)
      .map(({ shelf, term, document_id }) => sql`(${shelf}, ${term}, ${document_id})`)
    await sql`delete from document_term where (shelf, term, document_id) in (values ${sql.join(keys)})`.execute(tx)
  }
  const added = without(after, before)
  for (let from = 0; from < added.length; from += AT_ONCE)
    await tx
      .insertInto('document_term')
      .values(added.slice(from, from + AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

function without(rows: readonly DocumentTermRow[], others: readonly DocumentTermRow[]): readonly DocumentTermRow[] {
  const keyOf = ({ shelf, term, document_id }: DocumentTermRow): string => JSON.stringify([shelf, term, document_id])
  const known = new Set(others.map(keyOf))
  return rows.filter((row) => !known.has(keyOf(row)))
}
