// Finds the documents of a page. Scans the index of the most selective condition in the order of the page, and checks
// the other conditions document by document.
import { type Db, dialectOf } from '@chancela/service-kernel/store'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { searchWords } from '../rules/search-key.ts'
import type { DocumentStatus } from '../rules/vocabulary.ts'
import { shelfOf, terms } from './document-terms.ts'
import type { Tables } from './tables.ts'

/** The filter of a list. */
export interface DocumentFilter {
  readonly organizationId: string
  readonly statuses?: readonly DocumentStatus[] | undefined
  /** Undefined: any folder. Null: no folder. */
  readonly folderIds?: readonly string[] | null | undefined
  readonly type?: string | undefined
  readonly hasSigners?: boolean | undefined
  readonly isDeleted: boolean
  readonly text?: { readonly by: 'name' | 'key' | 'id' | 'creator' | 'tag'; readonly value: string } | undefined
  readonly participant?: { readonly by: 'name' | 'identifier' | 'email' | 'phone'; readonly value: string } | undefined
  /** The user who created it, takes part in it or observes it. */
  readonly involved?: string | undefined
  readonly tags: readonly { readonly label: string | null; readonly value: string }[]
}

/** Which page of a list, and how many documents are counted at most. */
export interface DocumentWindow {
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
  /** Last document of the previous page: keyset paging, so that deep pages are as fast as the first. */
  readonly after?: string | undefined
  readonly counted: number
}

/** No limit. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER - 1

interface FoundDocuments {
  readonly ids: readonly string[]
  /** Null when there are more than are counted, or when counting would scan many documents. */
  readonly total: number | null
}

type Condition = RawBuilder<SqlBool>

/** An index range to scan, in which documents are sorted by id. */
interface Range {
  readonly from: keyof typeof sources
  readonly where: readonly Condition[]
}

const sources = {
  document: { id: sql.ref('d.id'), table: sql`document as d` },
  document_term: { id: sql.ref('t.document_id'), table: sql`document_term as t` },
} as const

/** One condition of a filter. */
interface Demand {
  /** Ranges that contain exactly the matching documents; undefined when there would be too many. */
  readonly ranges: readonly Range[] | undefined
  /** Whether a document may occur in them more than once. */
  readonly repeats?: boolean
  /** Whether it excludes nothing. */
  readonly isEverything?: boolean
  /** What is checked for each document while the ranges of another condition are scanned. */
  readonly checks: readonly Check[]
}

/** Whether a document matches: checked by its id alone, or by its row `d`. */
type Check =
  | { readonly by: 'id'; readonly holds: (id: RawBuilder<unknown>) => Condition }
  | { readonly by: 'row'; readonly holds: Condition }

const byRow = (holds: Condition): Check => ({ by: 'row', holds })

/** Finds the documents that meet a filter. */
export async function searchDocuments(
  db: Db<Tables>,
  filter: DocumentFilter,
  window: DocumentWindow,
): Promise<FoundDocuments> {
  const demands = [...rowDemands(filter), ...(await termDemands(db, filter))]
  const driver = await fewest(db, demands)
  const checks = demands.filter((demand) => demand !== driver).flatMap((demand) => demand.checks)
  const walk: Walk = { db, ranges: driver.ranges!, repeats: driver.repeats ?? false, checks, order: window.order }
  return checks.length === 0 ? readRanges(walk, window) : walkRanges(walk, window)
}

/** Most folders, and words, whose ranges are merged in one query: SQLite allows 500 ranges at most. */
const MOST_FOLDERS = 40
const MOST_WORDS = 40

const everyStatus: readonly DocumentStatus[] = [
  'Pending',
  'FlowConcluded',
  'Concluded',
  'Refused',
  'Canceled',
  'Expired',
]

/** Conditions on the document's own row: a range for each folder and status. */
function rowDemands(filter: DocumentFilter): readonly Demand[] {
  const { organizationId, statuses, folderIds, isDeleted } = filter
  const ofOrganization = sql<SqlBool>`d.organization_id = ${organizationId}`
  const live = isDeleted ? sql<SqlBool>`d.deleted_at is not null` : sql<SqlBool>`d.deleted_at is null`
  const single = singleValues(filter)
  const several = [
    ...(statuses ? [sql<SqlBool>`d.status in (${sql.join(statuses)})`] : []),
    ...(folderIds ? [inFolders(folderIds)] : []),
  ]
  const checks = [...single, ...several].map(byRow)
  const everything: Demand = {
    ranges: [{ from: 'document', where: [ofOrganization, live] }],
    isEverything: true,
    checks: [],
  }
  if (checks.length === 0 && !isDeleted) return [everything]
  if (isOne(filter))
    return [{ ranges: [{ from: 'document', where: [ofOrganization, live, ...single, ...several] }], checks }]
  if (folderIds && folderIds.length > MOST_FOLDERS) return [everything, { ranges: undefined, checks }]
  const folders = folderIds ? folderIds.map((id) => [sql<SqlBool>`d.folder_id = ${id}`]) : [[]]
  // The folder index has no organization column, because each folder belongs to one.
  const places = folders.map((folder) => (folderIds && !isDeleted ? folder : [ofOrganization, ...folder]))
  const ranges = places.flatMap((place) =>
    (statuses ?? everyStatus).map(
      (status): Range => ({
        from: 'document',
        where: [...place, live, ...single, sql<SqlBool>`d.status = ${status}`],
      }),
    ),
  )
  return [{ ranges, checks }]
}

/** Whether the filter matches one document at most. */
const isOne = ({ text }: DocumentFilter): boolean => text?.by === 'key' || text?.by === 'id'

const singleValues = ({ folderIds, type, hasSigners, text }: DocumentFilter): readonly Condition[] => [
  ...(folderIds === null ? [sql<SqlBool>`d.folder_id is null`] : []),
  ...(type === undefined ? [] : [sql<SqlBool>`d.type = ${type}`]),
  ...(hasSigners ? [sql<SqlBool>`d.has_signers = 1`] : []),
  ...(text?.by === 'key' ? [sql<SqlBool>`d.key = ${text.value}`] : []),
  ...(text?.by === 'id' ? [sql<SqlBool>`d.id = ${text.value}`] : []),
]

const inFolders = (ids: readonly string[]): Condition =>
  ids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`d.folder_id in (${sql.join(ids)})`

async function termDemands(db: Db<Tables>, filter: DocumentFilter): Promise<readonly Demand[]> {
  const { organizationId, isDeleted, text, participant, involved, tags } = filter
  const shelf = shelfOf(organizationId, isDeleted)
  const demands = tags.map(({ label, value }) =>
    exactly(shelf, label === null ? terms.tag(value) : terms.labeledTag(label, value)),
  )
  if (involved !== undefined) demands.push(exactly(shelf, terms.involved(involved)))
  if (text?.by === 'tag') demands.push(exactly(shelf, terms.tag(text.value)))
  if (text?.by === 'name' || text?.by === 'creator')
    demands.push(...(await words(db, shelf, text.value, wordPlaces[text.by])))
  if (participant?.by === 'name') demands.push(...(await words(db, shelf, participant.value, wordPlaces.participant)))
  else if (participant) demands.push(exactly(shelf, terms[participant.by](participant.value)))
  return demands
}

const exactly = (shelf: string, term: string): Demand => ({
  ranges: [termRange(shelf, term)],
  checks: [hasTerm(shelf, [term])],
})

// Keeps PostgreSQL from a semi-join over all documents, which it estimates cheaper than checking the few scanned.
const ONE_BY_ONE = sql`limit 1 offset 0`

const hasTerm = (shelf: string, terms: readonly string[]): Check => ({
  by: 'id',
  holds: (id) => sql<SqlBool>`exists (select 1 from document_term as h
    where h.shelf = ${shelf} and h.term in (${sql.join(terms)}) and h.document_id = ${id} ${ONE_BY_ONE})`,
})

const termRange = (shelf: string, term: string): Range => ({
  from: 'document_term',
  where: [sql<SqlBool>`t.shelf = ${shelf}`, sql<SqlBool>`t.term = ${term}`],
})

/** Where words are searched: their terms, and the key column that contains them. */
const wordPlaces = {
  name: { term: terms.name, has: (condition: KeyCondition) => condition('d.name_key') },
  creator: { term: terms.creator, has: (condition: KeyCondition) => condition('d.created_by_key') },
  participant: {
    term: terms.participant,
    has: (condition: KeyCondition) => sql<SqlBool>`exists (select 1 from participant as p
      where p.document_id = d.id and ${condition('p.name_key')} ${ONE_BY_ONE})`,
  },
} as const

type WordPlace = (typeof wordPlaces)[keyof typeof wordPlaces]
type KeyCondition = (key: string) => Condition

/** Every word of the text is a prefix of a word there, or a whole word if short; people match by one person's name. */
async function words(db: Db<Tables>, shelf: string, text: string, place: WordPlace): Promise<readonly Demand[]> {
  const beginnings = [...new Set(searchWords(text))]
  if (beginnings.length === 0) return [{ ranges: [], checks: [] }]
  const position = sql.raw(dialectOf(db) === 'sqlite' ? 'instr' : 'strpos')
  // A short word must match whole: up to the next space, or the end of the name.
  const has = (key: string, word: string) =>
    word.length < SHORTEST_BEGINNING
      ? sql<SqlBool>`${position}(${sql.ref(key)} || ' ', ${` ${word} `}) > 0`
      : sql<SqlBool>`${position}(${sql.ref(key)}, ${` ${word}`}) > 0`
  const together = byRow(place.has((key) => and(beginnings.map((word) => has(key, word)))))
  const each = await Promise.all(
    beginnings.map((word) =>
      word.length < SHORTEST_BEGINNING
        ? exactly(shelf, place.term(word))
        : beginningWith(db, shelf, place.term(word), together),
    ),
  )
  return beginnings.length > 1 ? [...each, { ranges: undefined, checks: [together] }] : each
}

/** Most index entries sorted for a page. */
const MOST_SORTED = 4_000

/** Shorter words must match whole: too many words begin with one or two given letters. */
const SHORTEST_BEGINNING = 3

/** Documents with a word of this prefix. When too many words match, `otherwise` checks each document instead. */
async function beginningWith(db: Db<Tables>, shelf: string, beginning: string, otherwise: Check): Promise<Demand> {
  const end = `${beginning}\u{10ffff}`
  const next = (after: Condition) => sql`select min(t.term) from document_term as t
    where t.shelf = ${shelf} and ${after} and t.term < ${end}`
  // Jumps from word to word in the index, which has an entry per word and document.
  const { rows } = await sql<{ term: string }>`with recursive word (term, n) as (
      select (${next(sql`t.term >= ${beginning}`)}), 1
      union all
      select (${next(sql`t.term > word.term`)}), word.n + 1 from word
      where word.term is not null and word.n <= ${sql.lit(MOST_WORDS)})
    select term from word where term is not null`.execute(db)
  const found = rows.map(({ term }) => term)
  if (found.length === 0) return { ranges: [], checks: [] }
  if (found.length <= MOST_WORDS)
    return {
      ranges: found.map((term) => termRange(shelf, term)),
      repeats: found.length > 1,
      checks: [hasTerm(shelf, found)],
    }
  const where = [sql<SqlBool>`t.shelf = ${shelf}`, sql<SqlBool>`t.term >= ${beginning}`, sql<SqlBool>`t.term < ${end}`]
  const ranges: readonly Range[] = [{ from: 'document_term', where }]
  const n = await countRanges({ db, ranges, repeats: false, checks: [], order: 'desc' }, MOST_SORTED + 1)
  return { ranges: n <= MOST_SORTED ? ranges : undefined, repeats: true, checks: [otherwise] }
}

/** Most documents counted to compare conditions. */
const COMPARED = 4_000

/** The most selective condition, among those with ranges. */
async function fewest(db: Db<Tables>, demands: readonly Demand[]): Promise<Demand> {
  const walkable = demands.filter(({ ranges }) => ranges !== undefined)
  // Most lists have only one.
  if (walkable.length === 1) return walkable[0]!
  const counts = await Promise.all(
    walkable.map(({ ranges, repeats = false, isEverything }) =>
      isEverything ? Infinity : countRanges({ db, ranges: ranges!, repeats, checks: [], order: 'desc' }, COMPARED),
    ),
  )
  return walkable[counts.indexOf(Math.min(...counts))]!
}

/** A scan along ranges that skips documents failing the checks. */
interface Walk {
  readonly db: Db<Tables>
  readonly ranges: readonly Range[]
  readonly repeats: boolean
  readonly checks: readonly Check[]
  readonly order: 'asc' | 'desc'
}

/** A section of a scan: after one id, up to another. */
interface Stretch {
  readonly after?: string | undefined
  readonly last?: string | undefined
}

/** The first documents of a section that pass the checks, each once; unsorted. */
function selectFirst({ db, ranges, repeats, checks, order }: Walk, most: number, { after, last }: Stretch) {
  const [beyond, upTo] = order === 'desc' ? ['<', '>='] : ['>', '<=']
  const selects = ranges.map(({ from, where }) => {
    const { id, table } = sources[from]
    const conditions = [
      ...where,
      ...(after === undefined ? [] : [sql<SqlBool>`${id} ${sql.raw(beyond!)} ${after}`]),
      ...(last === undefined ? [] : [sql<SqlBool>`${id} ${sql.raw(upTo!)} ${last}`]),
      ...checks.flatMap((check) => (check.by === 'id' ? [check.holds(id)] : [])),
      ...rowConditions(from, checks),
    ]
    const distinct = repeats && ranges.length === 1 ? sql`distinct ` : sql``
    return sql`select ${distinct}${id} as id from ${table} where ${and(conditions)}`
  })
  // SQLite merges the ranges lazily; PostgreSQL would read and sort each whole range without a limit.
  const arms =
    dialectOf(db) === 'sqlite' || selects.length === 1
      ? selects
      : selects.map((select) => sql`(${select} order by id ${sql.raw(order)} limit ${most})`)
  return sql.join(arms, repeats ? sql` union ` : sql` union all `)
}

function rowConditions(from: Range['from'], checks: readonly Check[]): readonly Condition[] {
  const holding = checks.flatMap((check) => (check.by === 'row' ? [check.holds] : []))
  if (from === 'document' || holding.length === 0) return holding
  return [
    sql<SqlBool>`exists (select 1 from document as d
      where d.id = t.document_id and ${and(holding)} ${ONE_BY_ONE})`,
  ]
}

const and = (conditions: readonly Condition[]): Condition => sql<SqlBool>`${sql.join([...conditions], sql` and `)}`

async function idsOf(
  walk: Walk,
  { limit, offset }: Pick<DocumentWindow, 'limit' | 'offset'>,
  stretch: Stretch = {},
): Promise<readonly string[]> {
  if (walk.ranges.length === 0 || limit === 0) return []
  const { rows } = await sql<{ id: string }>`select id from (${selectFirst(walk, offset + limit, stretch)}) as found
    order by id ${sql.raw(walk.order)} limit ${limit} offset ${offset}`.execute(walk.db)
  return rows.map(({ id }) => id)
}

/** The number of documents, up to `most`. */
async function countRanges(walk: Walk, most: number, stretch: Stretch = {}): Promise<number> {
  if (walk.ranges.length === 0) return 0
  // Sorted, although the count does not need it: PostgreSQL then uses the index instead of a table scan.
  const { rows } = await sql<{ n: number | string }>`select count(*) as n from (select id
    from (${selectFirst(walk, most, stretch)}) as found order by id ${sql.raw(walk.order)} limit ${most}) as counted`.execute(
    walk.db,
  )
  return Number(rows[0]!.n)
}

async function readRanges(walk: Walk, window: DocumentWindow): Promise<FoundDocuments> {
  const n = await countRanges(walk, window.counted + 1)
  return { ids: await idsOf(walk, window, window), total: n > window.counted ? null : n }
}

/** Documents scanned per query: on SQLite all others wait meanwhile. A page is often full after the first slice. */
const sliceSizes = [500, 2_500, 4_000] as const

/** Slices after which a scan with a full page stops counting the total. */
const SLICES_COUNTED = 2

async function walkRanges(walk: Walk, window: DocumentWindow): Promise<FoundDocuments> {
  const { limit, offset } = window
  // Documents before `after` are not scanned, and so not counted.
  const counted = window.after === undefined ? window.counted : 0
  const ids: string[] = []
  let [total, after] = [0, window.after]
  for (let slice = 0; ; slice += 1) {
    const size = sliceSizes[slice] ?? sliceSizes.at(-1)!
    const [last] = await idsOf({ ...walk, checks: [] }, { limit: 1, offset: size - 1 }, { after })
    const stretch = { after, last }
    const n = await countRanges(walk, size, stretch)
    if (ids.length < limit && total + n > offset)
      ids.push(...(await idsOf(walk, { limit: limit - ids.length, offset: Math.max(0, offset - total) }, stretch)))
    total += n
    if (last === undefined) return { ids, total: window.after !== undefined || total > counted ? null : total }
    const isFull = ids.length >= limit
    if (isFull && (total > counted || (slice + 1 >= SLICES_COUNTED && counted < EVERYTHING)))
      return { ids, total: null }
    after = last
  }
}
