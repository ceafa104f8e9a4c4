import type { KeyAnswer, KeyRequest } from './key-messages.ts'
import type { KeyFault } from './key-problem.ts'
import type { KeyCertificate } from './open-key.ts'

/** A file without a usable key, or a failed signature. */
export class BrowserKeyFailure extends Error {
  override readonly name = 'BrowserKeyFailure'
  readonly fault: KeyFault | 'broken'

  constructor(fault: KeyFault | 'broken', options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}

/** A key that was opened in this browser and never leaves it. */
export interface BrowserKey {
  readonly certificate: KeyCertificate
  sign(digest: string, algorithm: string): Promise<string>
  /** Ends the worker that holds the key. */
  close(): void
}

/** Opens a PKCS#12 file in a worker, which ends when the key is closed. */
export async function openBrowserKey(file: File, password: string): Promise<BrowserKey> {
  const worker = new Worker(new URL('./key-worker.ts', import.meta.url), { type: 'module' })
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const { certificate } = await ask(worker, { kind: 'open', file: bytes, password }, 'opened')
    return {
      certificate,
      sign: async (digest, algorithm) => (await ask(worker, { kind: 'sign', digest, algorithm }, 'signed')).signature,
      close: () => worker.terminate(),
    }
  } catch (error) {
    worker.terminate()
    throw error
  }
}

function ask<Kind extends KeyAnswer['kind']>(worker: Worker, request: KeyRequest, expected: Kind) {
  return new Promise<Extract<KeyAnswer, { kind: Kind }>>((resolve, reject) => {
    worker.onerror = (event) => reject(new BrowserKeyFailure('broken', { cause: event.message }))
    worker.onmessage = ({ data }: MessageEvent<KeyAnswer>) => {
      if (data.kind === expected) resolve(data as Extract<KeyAnswer, { kind: Kind }>)
      else reject(new BrowserKeyFailure(data.kind === 'failed' ? data.fault : 'broken'))
    }
    worker.postMessage(request)
  })
}
