import { readFile } from 'node:fs/promises'
import { withCpfCheckDigits } from '@chancela/signature-engine/x509'
import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { SessionCaller } from './session-caller.ts'
import { startSessionsService } from './sessions-service.ts'

const NONE = 'no session'
const SESSIONS = 10_000
const LIVE = `${SESSIONS} live sessions`
/** Sessions opened and ended before: memory of the process's first work must not be counted as theirs. */
const FIRST = 1_000
const MORE = 'MB more than without'

/** Memory of live sessions. */
export const memoryBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'sessions-memory',
  title: 'Session server: memory of 10,000 live sessions',
  question:
    'How much memory do ten thousand live sessions of the vault take, each of another holder with a key of its own in memory?',
  compares: { measure: 'RSS', unit: 'RSS in MB' },
  figures: [MORE],
  reference: NONE,
  contestants: [contestant(NONE, scene, world, 0), contestant(LIVE, scene, world, SESSIONS)],
  targets: [{ contestant: LIVE, measure: MORE, atMost: 50 }],
  notes: [
    `a fresh process in each turn with the certificates in its vault; it first opens and ends ${FIRST} sessions, so that what its first work leaves behind is not counted; garbage collected; 1 MB is 10⁶ bytes`,
    'one PKCS#12 is held for ten thousand CPFs, because as many RSA keys would take hours to make; each session has its own copy of the key',
  ],
  sampleSeconds: 1,
  warmUpMs: 0,
})

const contestant = (
  name: string,
  scene: BenchScene,
  world: () => Promise<BatchWorld>,
  sessions: number,
): Contestant => ({
  name,
  cores: 0,
  setUp: async () => ({
    run: async (forMs) => ({ operations: 1, figures: await measure(scene, await world(), sessions, forMs) }),
    tearDown: async () => {},
  }),
})

async function measure(scene: BenchScene, world: BatchWorld, sessions: number, idleMs: number) {
  const service = await startSessionsService(world, { on: scene.folder })
  const caller = new SessionCaller(service, 8)
  try {
    const file = await readFile(world.files.rsa.pkcs12, 'base64')
    const cpfs = Array.from({ length: sessions }, (_, at) => withCpfCheckDigits(String(100_000_000 + at)))
    await inLanes(cpfs, (cpf) => service.console('POST', '/api/certificates', { file, pin: service.pin, cpf }))
    const opened: string[] = []
    await inLanes(cpfs.slice(0, FIRST), async (cpf) => void opened.push(await caller.open(cpf, service.pin)))
    await inLanes(opened, (sessionId) => caller.deactivate(sessionId))
    const before = await service.program.memoryAtRest(idleMs)
    await inLanes(cpfs, async (cpf) => void (await caller.open(cpf, service.pin)))
    const after = await service.program.memoryAtRest(idleMs)
    return { RSS: after.rssMb, [MORE]: after.rssMb - before.rssMb }
  } finally {
    await caller.close()
    await service.remove()
  }
}

async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items]
  const lane = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}
