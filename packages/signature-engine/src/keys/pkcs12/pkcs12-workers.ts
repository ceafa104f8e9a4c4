import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { EngineError } from '../../errors/engine-error.ts'
import { startThread } from '../start-thread.ts'
import { type pkcs12Errors, refusePkcs12 } from './errors.ts'
import type { Pkcs12Answer, Pkcs12Task } from './pkcs12-worker.ts'
import type { Pkcs12Bags } from './read-pfx.ts'

const MAX_WORKERS = Math.min(4, availableParallelism())

// One worker is kept for the next file, because starting one takes longer than opening most files; it never keeps the
// process alive. Others start and end with the load.
let workers = 0
let resting: Worker | undefined
const waiting: ((worker: Worker) => void)[] = []

/** Opens the file in a worker thread. File and password are transferred: the caller loses their buffers. */
export async function openInWorker(task: Pkcs12Task): Promise<Pkcs12Bags> {
  const worker = await freeWorker()
  try {
    const answer = await ask(worker, task)
    release(worker)
    return unpacked(answer)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'pkcs12.interrupted') await worker.terminate()
    throw error
  }
}

async function freeWorker(): Promise<Worker> {
  const rested = resting
  resting = undefined
  if (rested) return rested
  return workers < MAX_WORKERS ? startWorker() : new Promise((resolve) => waiting.push(resolve))
}

function startWorker(): Worker {
  workers++
  const worker = startThread('./pkcs12-worker', import.meta.url)
  worker.once('exit', () => {
    workers--
    if (resting === worker) resting = undefined
    waiting.shift()?.(startWorker())
  })
  return worker
}

function release(worker: Worker): void {
  const next = waiting.shift()
  if (next) next(worker)
  else if (resting) void worker.terminate()
  else {
    worker.unref()
    resting = worker
  }
}

function ask(worker: Worker, task: Pkcs12Task): Promise<Pkcs12Answer> {
  worker.ref()
  return new Promise((resolve, reject) => {
    const ended = (cause?: unknown) => reject(refusePkcs12('pkcs12.interrupted', undefined, cause))
    worker.once('exit', ended)
    worker.once('error', ended)
    worker.once('message', (answer: Pkcs12Answer) => {
      worker.off('exit', ended)
      worker.off('error', ended)
      resolve(answer)
    })
    worker.postMessage(task, [task.file.buffer as ArrayBuffer, task.password.buffer as ArrayBuffer])
  })
}

function unpacked(answer: Pkcs12Answer): Pkcs12Bags {
  if ('bags' in answer) return answer.bags
  if ('bug' in answer) throw new Error(answer.bug)
  throw refusePkcs12(answer.refusal.code as keyof typeof pkcs12Errors, answer.refusal.details)
}
