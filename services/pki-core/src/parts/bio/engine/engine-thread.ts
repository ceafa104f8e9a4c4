// The thread in which pictures of strangers are read and looked at: what they cost, nobody else waits for.
import { parentPort } from 'node:worker_threads'
import type { Seen } from '../../../rules/bio/face.ts'
import { MeshEngine } from './mesh-engine.ts'

export interface EngineTask {
  readonly work: 'look' | 'describe'
  readonly jpeg: Uint8Array
}

export type EngineAnswer = { readonly done: Seen | Float32Array | undefined } | { readonly bug: string }

const opened = MeshEngine.open()
// Told by the first task.
opened.catch(() => undefined)

parentPort?.on('message', async ({ work, jpeg }: EngineTask) => {
  parentPort?.postMessage(await answered(work, jpeg))
})

async function answered(work: EngineTask['work'], jpeg: Uint8Array): Promise<EngineAnswer> {
  try {
    return { done: await (await opened)[work](jpeg) }
  } catch (error) {
    return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
