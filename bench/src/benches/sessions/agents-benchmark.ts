import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { holderOf } from '@chancela/signature-engine/x509'
import { addFile, enrol } from '@chancela/workstation-agent'
import type { Benchmark, Contestant, Runner } from '../../harness/benchmark.ts'
import { procCpuTimes } from '../../harness/cpu-time.ts'
import { startProgram } from '../../harness/program.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { PKCS12_PASSWORD } from '../signatures/signing-world.ts'
import { startSessionsService } from './sessions-service.ts'

const NONE = 'no agent'
const AGENTS = 500
const CONNECTED = `${AGENTS} agents, idle`
const SHARE = '% of a core'

/** What connected idle agents cost a server. */
export const agentsBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'sessions-agents',
  title: 'Session server: five hundred workstation agents, idle',
  question: 'How much of a core do connected agents take while nobody signs?',
  compares: { measure: SHARE, unit: SHARE },
  reference: NONE,
  contestants: [contestant(NONE, scene, world, 0), contestant(CONNECTED, scene, world, AGENTS)],
  targets: [{ contestant: CONNECTED, measure: SHARE, atMost: 2 }],
  notes: [
    'CPU of the server process alone, default settings: a sign of life every 30 s to each agent; every agent offers a certificate; the agents are in a process of their own',
  ],
  sampleSeconds: 60,
  warmUpMs: 0,
})

const contestant = (name: string, scene: BenchScene, world: () => Promise<BatchWorld>, agents: number): Contestant => ({
  name,
  cores: 0,
  setUp: async () => runner(scene, await world(), agents),
})

async function runner(scene: BenchScene, world: BatchWorld, agents: number): Promise<Runner> {
  const service = await startSessionsService(world, { on: scene.folder })
  const { cpf } = holderOf(world.holders.rsa.certificate)
  const homes: string[] = []
  for (let at = 0; at < agents; at++) {
    const workstation = { name: `workstation ${at}`, cpfs: [cpf!] }
    const { code } = await service.console<{ readonly code: string }>('POST', '/api/workstations', workstation)
    const home = await mkdtemp(join(scene.folder, 'agent-'))
    await enrol(home, service.consoleUrl, code)
    await addFile(home, world.files.rsa.pkcs12, PKCS12_PASSWORD)
    homes.push(home)
  }
  const program = await startProgram<number>(new URL('./agents-process.ts', import.meta.url), { args: homes })
  while ((await onlineAt(service)) < agents) await sleep(200)
  const times = procCpuTimes()
  return {
    pids: [service.pid],
    cpuOf: 'servers',
    run: async (forMs) => {
      const before = times?.treeMs([service.pid]) ?? Number.NaN
      const begun = performance.now()
      await sleep(forMs)
      const wallMs = performance.now() - begun
      const cpuMs = (times?.treeMs([service.pid]) ?? Number.NaN) - before
      return { operations: 1, wallMs, figures: { [SHARE]: (cpuMs / wallMs) * 100 } }
    },
    tearDown: async () => {
      await program.stop()
      await service.remove()
    },
  }
}

interface Workstation {
  readonly state: string
}

async function onlineAt(service: Awaited<ReturnType<typeof startSessionsService>>): Promise<number> {
  const all = await service.console<readonly Workstation[]>('GET', '/api/workstations')
  return all.filter(({ state }) => state === 'online').length
}
