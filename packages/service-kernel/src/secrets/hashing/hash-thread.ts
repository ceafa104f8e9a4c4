// The thread in which passwords are hashed: Node's own threads also read files, which must not wait for it.
import { scryptSync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

export interface HashTask {
  readonly password: string
  readonly salt: Uint8Array
  readonly bytes: number
  readonly cost: { readonly N: number; readonly r: number; readonly p: number }
}

/** The hash, or why there is none. */
export type HashAnswer = { readonly hash: Uint8Array } | { readonly bug: string }

parentPort?.on('message', (task: HashTask) => parentPort?.postMessage(answered(task)))

function answered({ password, salt, bytes, cost }: HashTask): HashAnswer {
  try {
    // Half as much again as the algorithm takes.
    return { hash: scryptSync(password, salt, bytes, { ...cost, maxmem: 192 * cost.N * cost.r }) }
  } catch (error) {
    return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
