import type { Benchmark, Contestant, Runner } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { P99, SLOWEST, timedInTurn } from '../queries-in-turn.ts'
import type { CredentialsService } from './credentials-service.ts'
import { type Library, libraryOn, type Product, products } from './degree-library.ts'
import { codeOf, cpfOf, fillDegrees, LARGE_INSTITUTE, SMALL_INSTITUTE, timeOf } from './many-degrees.ts'

const MILLION = 1_000_000
const SAMPLE_SECONDS = 4

/** Queries by their shape; `n` is how many degrees there are. */
const kinds: Readonly<Record<string, (n: number) => readonly string[]>> = {
  'no filter': () => ['', 'page=50'],
  'one word': () => ['q=maria', 'q=direito', 'q=zootecnia', 'q=de', 'q=f999'],
  'several common words': () => [
    'q=maria+silva',
    'q=maria+silva+direito',
    'q=engenharia+direito',
    'q=pedagogia+medicina',
    'q=de+da',
    'q=ana+de+souza+engenharia+civil',
  ],
  beginnings: () => ['q=mar', 'q=mar+sil', 'q=mari+dir+san', 'q=eng+ele', 'q=004', 'q=zzz+mar'],
  'CPF and code': (n) => [
    `q=${cpfOf(Math.ceil(n / 2))}`,
    `q=${codeOf(Math.ceil(n / 3))}`,
    `q=maria+${cpfOf(Math.ceil(n / 4))}`,
    'q=98765432100',
  ],
  'words with a state': () => [
    'q=maria&status=Concluded',
    'q=maria+silva&status=CanceledTemporarily',
    'q=direito&status=Pending',
    'q=maria&status=Canceled',
  ],
  'words with an institution or a time': (n) => [
    `q=maria+silva&instituteId=${SMALL_INSTITUTE}`,
    `q=maria&instituteId=${LARGE_INSTITUTE}`,
    `q=silva+direito&from=${timeOf(n / 4)}&to=${timeOf(n / 2)}`,
    `q=medicina+pedagogia&to=${timeOf(n / 2)}`,
  ],
  'filters alone': (n) => [
    'status=Concluded',
    'status=Pending',
    'status=Canceled',
    `instituteId=${SMALL_INSTITUTE}`,
    `instituteId=${LARGE_INSTITUTE}&status=Pending`,
    `instituteId=${SMALL_INSTITUTE}&status=Concluded`,
    `from=${timeOf(n / 4)}&to=${timeOf(n / 3)}`,
  ],
  'deep pages': (n) => [
    `page=${Math.floor(n / 40)}`,
    `q=maria&page=${Math.floor(n / 400)}`,
    `q=maria+silva&page=${Math.floor(n / 4000)}`,
    `instituteId=${LARGE_INSTITUTE}&page=${Math.floor(n / 50)}`,
    'q=maria&status=Concluded&page=50',
  ],
}

const nameOf = (product: Product, kind: string): string => `${product}: ${kind}`
const [firstKind = ''] = Object.keys(kinds)

/** Finding degrees after years of work. */
export function searchBenchmark(scene: BenchScene): Benchmark {
  const entries = products.flatMap((product) => {
    const library = libraryOn(product, scene, fillDegrees)
    return Object.entries(kinds).map(([kind, queries]) => ({ name: nameOf(product, kind), queries, library }))
  })
  return {
    name: 'credentials-search',
    title: 'Credential platform: a page of a search at 1,000,000 degrees',
    question: 'How long does GET /api/degrees take, whatever is looked for?',
    compares: { measure: SLOWEST, unit: SLOWEST },
    figures: [P99],
    reference: nameOf('SQLite', firstKind),
    contestants: entries.map(({ name, queries, library }) => contestant(name, queries, library)),
    targets: entries.map(({ name }) => ({ contestant: name, measure: SLOWEST, atMost: 50 })),
    notes: [
      'pages of 20 with their total, one call at a time, over HTTP; each shape has several queries, in turns: the figure is the median of the slowest of them, p99 is over all',
      'rows written by SQL, all of one organization; the service itself took them into its index; words are in up to four in ten degrees and independent of each other, some never occur together',
      `a turn shorter than ${SAMPLE_SECONDS} s has proportionally fewer degrees`,
    ],
    sampleSeconds: SAMPLE_SECONDS,
    warmUpMs: 0,
  }
}

const contestant = (name: string, queries: (n: number) => readonly string[], library: Library): Contestant => ({
  name,
  cores: 1,
  setUp: async () => toRunner(queries, library, await library.pids()),
})

function toRunner(queries: (n: number) => readonly string[], library: Library, pids: readonly number[]): Runner {
  const degreesFor = (forMs: number) => Math.ceil(MILLION * Math.min(1, forMs / (SAMPLE_SECONDS * 1000)))
  return {
    pids,
    prepare: async (forMs) => void (await library.holding(degreesFor(forMs))),
    run: async (forMs) => {
      const degrees = degreesFor(forMs)
      const service = await library.holding(degrees)
      return timedInTurn(forMs, queries(degrees), (query) => page(service, query))
    },
    tearDown: () => library.close(),
  }
}

async function page({ baseUrl, apiKey }: CredentialsService, query: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/degrees?${query}`, { headers: { 'X-Api-Key': apiKey } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${query} answered ${answer.status}: ${text}`)
}
