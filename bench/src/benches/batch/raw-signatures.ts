import { type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Contestant, Run } from '../../harness/benchmark.ts'
import type { BatchWorld } from './batch-world.ts'

/** The limit of all signing on this machine's cores. */
export const RSA_ALONE = 'RSA-2048 alone, two cores'

/** Data of the size that signed attributes have. */
const data = Buffer.alloc(200, 7)

type Way = (privateKey: KeyObject, forMs: number) => Promise<Run>

/** Only signatures, on both cores, in the faster of two ways on this machine. */
export const rsaAlone = (world: () => Promise<BatchWorld>): Contestant => ({
  name: RSA_ALONE,
  cores: 2,
  setUp: async () => {
    const { privateKey } = (await world()).holders.rsa
    const fastest = await fastestOf([onThePool, inTwoThreads], privateKey)
    return { run: (forMs) => fastest(privateKey, forMs), tearDown: async () => {} }
  },
})

const TRIAL_MS = 500

async function fastestOf(ways: readonly Way[], privateKey: KeyObject): Promise<Way> {
  const trials: { way: Way; rate: number }[] = []
  for (const way of ways) {
    const { operations, wallMs } = await way(privateKey, TRIAL_MS)
    trials.push({ way, rate: operations / wallMs! })
  }
  return trials.reduce((best, each) => (each.rate > best.rate ? each : best)).way
}

/** Concurrent signatures: two for each thread of the pool, so that none waits for the event loop. */
const LANES = 8

async function onThePool(privateKey: KeyObject, forMs: number): Promise<Run> {
  const begun = performance.now()
  const lane = async () => {
    let done = 0
    while (performance.now() - begun < forMs) {
      await new Promise<void>((resolve, reject) =>
        sign('sha256', data, privateKey, (error) => (error ? reject(error) : resolve())),
      )
      done++
    }
    return done
  }
  const counts = await Promise.all(Array.from({ length: LANES }, lane))
  return { operations: sum(counts), wallMs: performance.now() - begun }
}

// As text, because threads of Node 20 cannot load TypeScript source: it runs the same from source and compiled.
const thread = `
  const { sign } = require('node:crypto')
  const { parentPort, workerData: { privateKey, data, forMs } } = require('node:worker_threads')
  const begun = performance.now()
  let operations = 0
  for (; performance.now() - begun < forMs; operations++) sign('sha256', data, privateKey)
  parentPort.postMessage({ operations, wallMs: performance.now() - begun })`

async function inTwoThreads(privateKey: KeyObject, forMs: number): Promise<Run> {
  const run = async () => {
    const worker = new Worker(thread, { eval: true, execArgv: [], workerData: { privateKey, data, forMs } })
    const [done] = (await once(worker, 'message')) as [Required<Pick<Run, 'operations' | 'wallMs'>>]
    return done
  }
  const runs = await Promise.all([run(), run()])
  return {
    operations: sum(runs.map(({ operations }) => operations)),
    wallMs: Math.max(...runs.map(({ wallMs }) => wallMs)),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
