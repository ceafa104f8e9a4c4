import type { Benchmark, Contestant, Run, Runner } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { RSA_ALONE, rsaAlone } from '../batch/raw-signatures.ts'
import { requirePdfSignature } from '../signatures/outside-judges.ts'
import { SessionCaller } from './session-caller.ts'
import { openSigningPair } from './signing-pair.ts'

const FORM = 'sign, multipart'
const JSON_BODY = 'sign, JSON'
const BATCH = 'batch of 50'

/** Documents under way at once. */
const LANES = 16

/** A PDF signed under a session with a key of the vault, through the document platform on the same machine. */
export const signBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'sessions-sign',
  title: 'Session server: sign a 20 KB PDF with a certificate of the vault',
  question: 'How many documents a second are signed under a session, against the signatures alone?',
  compares: { measure: 'rate', unit: 'documents/s' },
  reference: RSA_ALONE,
  contestants: [
    rsaAlone(world),
    contestant(FORM, scene, world, (caller) => lanes(() => caller.signForm().then(requireAccepted))),
    contestant(JSON_BODY, scene, world, (caller) => lanes(() => caller.signJson().then(requireAccepted))),
    { ...contestant(BATCH, scene, world, batches), against: FORM },
  ],
  targets: [
    // Half of the 19 ms that it took when one signature took 1.1.
    { contestant: FORM, measure: 'cpu ratio', atLeast: 0.116 },
    { contestant: BATCH, measure: 'ratio', atLeast: 1 },
  ],
  notes: [
    `RSA-2048, ${LANES} requests under way, one batch of 50 at a time; default settings, both services on SQLite in processes of their own; begun and completed at the document platform over HTTP, files and rows durable, certificate validated, signature checked`,
    'the client runs on the same two cores; one document of each turn is fetched and shown to pdfsig',
  ],
  sampleSeconds: 10,
  warmUpMs: 20_000,
})

type Way = (caller: SessionCaller) => (forMs: number) => Promise<Run & { readonly last?: string }>

const contestant = (name: string, scene: BenchScene, world: () => Promise<BatchWorld>, way: Way): Contestant => ({
  name,
  cores: 2,
  setUp: () => runner(scene, world, way),
})

async function runner(scene: BenchScene, world: () => Promise<BatchWorld>, way: Way): Promise<Runner> {
  const pair = await openSigningPair(scene, await world())
  const caller = new SessionCaller(pair.sessions, LANES)
  await caller.open(pair.sessions.cpf, pair.sessions.pin)
  const run = way(caller)
  return {
    pids: pair.pids,
    run: async (forMs) => {
      const { last, ...done } = await run(forMs)
      if (last !== undefined) await requirePdfSignature(await caller.document(last))
      return done
    },
    tearDown: async () => {
      await caller.close()
      await pair.remove()
    },
  }
}

function requireAccepted({ status, signatureId }: { status: number; signatureId?: string }): string {
  if (signatureId === undefined) throw new Error(`Not accepted: ${status}`)
  return signatureId
}

const lanes =
  (sign: () => Promise<string>) =>
  async (forMs: number): Promise<Run & { readonly last: string }> => {
    const begun = performance.now()
    let last = ''
    const lane = async () => {
      let done = 0
      for (; performance.now() - begun < forMs; done++) last = await sign()
      return done
    }
    const counts = await Promise.all(Array.from({ length: LANES }, lane))
    return { operations: counts.reduce((sum, each) => sum + each, 0), wallMs: performance.now() - begun, last }
  }

const batches =
  (caller: SessionCaller) =>
  async (forMs: number): Promise<Run> => {
    const begun = performance.now()
    let operations = 0
    while (performance.now() - begun < forMs) operations += await caller.signBatch(50)
    return { operations, wallMs: performance.now() - begun }
  }
