// The thread that opens PKCS#12 files: key derivations of a second and more stay off the event loop.
import { parentPort } from 'node:worker_threads'
import { EngineError } from '../../errors/engine-error.ts'
import { type Pkcs12Bags, type Pkcs12Limits, readPfx } from './read-pfx.ts'

export interface Pkcs12Task {
  readonly file: Uint8Array
  /** In UTF-8; a copy of the worker's own, overwritten when it is done. */
  readonly password: Uint8Array
  readonly limits: Pkcs12Limits
}

/** KeyObjects are passed between threads without leaving OpenSSL's memory. */
export type Pkcs12Answer =
  | { readonly bags: Pkcs12Bags }
  | { readonly refusal: { readonly code: string; readonly details: Readonly<Record<string, unknown>> | undefined } }
  | { readonly bug: string }

parentPort?.on('message', (task: Pkcs12Task) => {
  parentPort?.postMessage(answer(task))
  task.password.fill(0)
})

function answer({ file, password, limits }: Pkcs12Task): Pkcs12Answer {
  try {
    const { keys, certificates } = readPfx(file, password, limits)
    return { bags: { keys, certificates } }
  } catch (error) {
    if (error instanceof EngineError) return { refusal: { code: error.code, details: error.details } }
    return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
