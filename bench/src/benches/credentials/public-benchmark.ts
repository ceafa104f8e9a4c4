import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Benchmark, Contestant, Run, Runner } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { P99, shareOf } from '../queries-in-turn.ts'
import type { CredentialsService } from './credentials-service.ts'
import { type Library, libraryOn, type Product, products } from './degree-library.ts'
import { codeOf, fillPublished, isConcluded } from './many-degrees.ts'

const DEGREES = 100_000
const SAMPLE_SECONDS = 20
const EVERY_MS = 5
const P50 = 'p50 ms'

/** What is asked for by the header. */
const forms = { page: 'text/html', JSON: 'application/json' } as const
type Form = keyof typeof forms

const nameOf = (product: Product, form: Form): string => `${product}: ${form}`

/** What anybody asks who has the code of a degree. */
export function publicBenchmark(scene: BenchScene): Benchmark {
  const entries = products.flatMap((product) => {
    const library = libraryOn(product, scene, fillPublished)
    return (Object.keys(forms) as Form[]).map((form) => ({ name: nameOf(product, form), form, library }))
  })
  return {
    name: 'credentials-public',
    title: 'Credential platform: the public page of a degree at 200 requests/s',
    question: 'How long does whoever has a code wait for the page, or the record, of one of 100,000 degrees?',
    compares: { measure: P99, unit: P99 },
    figures: [P50],
    reference: nameOf('SQLite', 'JSON'),
    contestants: entries.map(({ name, form, library }) => contestant(name, form, library)),
    targets: entries.map(({ name }) => ({ contestant: name, measure: P99, atMost: 30 })),
    notes: [
      'open loop: a request every 5 ms, whether earlier ones were answered or not; the time of each counts from the moment it was due',
      'any degree is asked for as often as any other; what is public of each was kept when it was closed',
    ],
    sampleSeconds: SAMPLE_SECONDS,
    warmUpMs: 3_000,
  }
}

const contestant = (name: string, form: Form, library: Library): Contestant => ({
  name,
  cores: 1,
  setUp: async () => toRunner(form, library, await library.pids()),
})

function toRunner(form: Form, library: Library, pids: readonly number[]): Runner {
  const agent = new Agent({ connections: 64 })
  return {
    pids,
    // As many in the warm-up: with another number it would be another process, which is cold.
    prepare: async () => void (await library.holding(DEGREES)),
    run: async (forMs) => askOpenLoop(await library.holding(DEGREES), agent, { form, degrees: DEGREES, forMs }),
    tearDown: async () => {
      await agent.close()
      await library.close()
    },
  }
}

interface Asking {
  readonly form: Form
  readonly degrees: number
  readonly forMs: number
}

async function askOpenLoop(service: CredentialsService, agent: Agent, asking: Asking): Promise<Run> {
  const begun = performance.now()
  const count = Math.floor(asking.forMs / EVERY_MS)
  const answers = Array.from({ length: count }, async (_, at) => {
    const due = begun + at * EVERY_MS
    await wait(due - performance.now())
    await ask(service, agent, asking.form, anyConcluded(at, asking.degrees))
    return performance.now() - due
  })
  const times = await Promise.all(answers)
  return { operations: count, figures: { [P50]: shareOf(times, 0.5), [P99]: shareOf(times, 0.99) } }
}

/** A degree that is valid: far from the last one, and seldom the same twice. */
function anyConcluded(at: number, degrees: number): number {
  const n = 1 + ((at * 48_271) % degrees)
  return isConcluded(n) ? n : 1 + ((n + 401) % degrees)
}

async function ask({ baseUrl }: CredentialsService, agent: Agent, form: Form, n: number): Promise<void> {
  const url = `${baseUrl}/${codeOf(n)}`
  const { statusCode, body } = await request(url, { dispatcher: agent, headers: { accept: forms[form] } })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`)
}
