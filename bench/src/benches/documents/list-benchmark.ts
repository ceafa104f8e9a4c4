import type { Benchmark, Contestant, Runner } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { P95, SLOWEST, timedInTurn } from '../queries-in-turn.ts'
import { type DocumentsService, startDocumentsService } from './documents-service.ts'
import { COMMON_CPF, fillDocuments, idOf, LARGE_FOLDER, LARGE_ORGANIZATION, SMALL_FOLDER } from './many-documents.ts'

const MILLION = 1_000_000
const SAMPLE_SECONDS = 4

/** Placeholder for the id of the document in the middle. */
const MIDDLE = '{middle}'

/** Queries by kind of filter: matching very many documents, few, and none. */
const kinds = {
  'no filter': ['', 'Order=Asc', 'Offset=5000'],
  status: ['Status=Concluded', 'Status=PendingOrRefused', 'Status=Expired', 'IsConcluded=false'],
  'folder, type, signers, deleted': [
    `FolderId=${LARGE_FOLDER}`,
    `FolderId=${SMALL_FOLDER}&Status=Expired`,
    `FolderId=${LARGE_FOLDER}&Status=Pending`,
    'FolderType=WithoutFolder',
    'FilterByDocumentType=true&DocumentType=Prescription',
    'FilterByDocumentType=true&DocumentType=Unknown',
    'FilterByPendingSignature=true',
    'IsDeleted=true',
  ],
  'words of the name or the creator': [
    'Q=contrato',
    'Q=contr',
    'Q=distrato',
    'Q=xyzzy',
    'Q=1234',
    'Q=contrato%2077',
    'QueryType=CreatorName&Q=hospital',
    'QueryType=CreatorName&Q=maria',
  ],
  'key and tags': [
    'QueryType=Key&Q=00000000000000000033',
    'QueryType=Tag&Q=importado',
    'QueryType=Tag&Q=lote%2077',
    'Tags=origem|importado',
    'Tags=origem|none',
  ],
  participants: [
    'ParticipantQ=ana',
    'ParticipantQ=pes',
    'ParticipantQ=nobody',
    `ParticipantQueryType=Identifier&ParticipantQ=${COMMON_CPF}`,
    'ParticipantQueryType=Identifier&ParticipantQ=00000000033',
    'ParticipantQueryType=Email&ParticipantQ=p33@example.com',
    'ParticipantQueryType=Phone&ParticipantQ=11',
  ],
  'the middle of a list, by its cursor': [
    `Cursor=${MIDDLE}`,
    `Cursor=${MIDDLE}&Status=Concluded`,
    `Cursor=${MIDDLE}&FolderType=WithoutFolder`,
    `Cursor=${MIDDLE}&Q=contrato`,
    `Cursor=${MIDDLE}&ParticipantQ=ana&Order=Asc`,
  ],
  'several filters': [
    'Status=Pending&ParticipantQ=pessoa',
    `Status=Concluded&Q=contrato&FolderId=${LARGE_FOLDER}`,
    `ParticipantQueryType=Identifier&ParticipantQ=${COMMON_CPF}&Q=contrato`,
    'IsDeleted=true&Q=recibo',
  ],
} as const satisfies Record<string, readonly string[]>

/** The two databases, each with a service of its own. */
const products = ['SQLite', 'PostgreSQL'] as const
type Product = (typeof products)[number]

const nameOf = (product: Product, kind: string): string => `${product}: ${kind}`
const [firstKind = ''] = Object.keys(kinds)

/** The list of documents after years of work. */
export function listBenchmark(scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark {
  const libraries = { SQLite: library('SQLite', scene, world), PostgreSQL: library('PostgreSQL', scene, world) }
  const entries = products.flatMap((product) =>
    Object.entries(kinds).map(([kind, queries]) => ({ product, kind, queries })),
  )
  return {
    name: 'documents-list',
    title: 'Document platform: a page of the list at 1,000,000 documents',
    question: 'How long does GET /api/documents take, whatever the list is filtered by?',
    compares: { measure: SLOWEST, unit: SLOWEST },
    figures: [P95],
    reference: nameOf('SQLite', firstKind),
    contestants: entries.map(({ product, kind, queries }) =>
      contestant(libraries[product], nameOf(product, kind), queries),
    ),
    targets: entries.map(({ product, kind }) => ({
      contestant: nameOf(product, kind),
      measure: SLOWEST,
      atMost: 20,
    })),
    notes: [
      'pages of 50 with the total as far as it is counted, one call at a time, over HTTP; each kind has several filters, in turns: the figure is the median of the slowest of them',
      'rows written by SQL: nine in ten in one organization, one status and one word in nearly all, others in a hundredth or in none, one person in 100,000',
      `a turn shorter than ${SAMPLE_SECONDS} s has proportionally fewer documents`,
    ],
    sampleSeconds: SAMPLE_SECONDS,
    warmUpMs: 0,
  }
}

/** A service with very many documents, shared by the contestants on its database. */
interface Library {
  /** The service, with so many documents; calling it again with the same number returns the same one. */
  holding(documents: number): Promise<DocumentsService>
  /** Server processes besides the service. */
  pids(): Promise<readonly number[]>
  close(): Promise<void>
}

function library(product: Product, scene: BenchScene, world: () => Promise<BatchWorld>): Library {
  let opened: { readonly documents: number; readonly service: Promise<DocumentsService> } | undefined
  const close = async () => {
    const closing = opened
    opened = undefined
    await (await closing?.service)?.remove()
  }
  const open = async (documents: number) =>
    startDocumentsService({
      on: scene.folder,
      databaseUrl: product === 'SQLite' ? undefined : (await scene.postgres()).url,
      roots: (await world()).files.roots,
      organizationId: LARGE_ORGANIZATION,
      fill: (store) => fillDocuments(store, documents),
    })
  return {
    holding: async (documents) => {
      if (opened?.documents !== documents) {
        await close()
        opened = { documents, service: open(documents) }
      }
      return opened!.service
    },
    pids: async () => (product === 'SQLite' ? [] : (await scene.postgres()).pids),
    close,
  }
}

const contestant = (library: Library, name: string, queries: readonly string[]): Contestant => ({
  name,
  cores: 1,
  setUp: async () => toRunner(library, await library.pids(), queries),
})

function toRunner(library: Library, pids: readonly number[], queries: readonly string[]): Runner {
  const documentsFor = (forMs: number) => Math.ceil(MILLION * Math.min(1, forMs / (SAMPLE_SECONDS * 1000)))
  return {
    pids,
    prepare: async (forMs) => void (await library.holding(documentsFor(forMs))),
    run: async (forMs) => {
      const documents = documentsFor(forMs)
      const service = await library.holding(documents)
      const middle = idOf(Math.ceil(documents / 2))
      return timedInTurn(forMs, queries, (query) => page(service, query.replace(MIDDLE, middle)))
    },
    tearDown: () => library.close(),
  }
}

async function page({ baseUrl, apiKey }: DocumentsService, query: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/documents?Limit=50&${query}`, { headers: { 'X-Api-Key': apiKey } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${query} answered ${answer.status}: ${text}`)
}
