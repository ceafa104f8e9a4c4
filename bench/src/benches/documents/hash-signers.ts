import type { KeyObject } from 'node:crypto'
import { Worker } from 'node:worker_threads'

/** Signs hashes as tokens and browsers do, in threads apart from the one for HTTP. */
export interface HashSigners {
  /** RSA over a SHA-256 hash; both base64. */
  sign(hash: string): Promise<string>
  stop(): Promise<void>
}

// As text, because threads of Node 20 cannot load TypeScript source: it runs the same from source and compiled.
const thread = `
  const { constants, privateEncrypt } = require('node:crypto')
  const { parentPort, workerData: { privateKey } } = require('node:worker_threads')
  const key = { key: privateKey, padding: constants.RSA_PKCS1_PADDING }
  // DigestInfo of SHA-256 (RFC 8017, section 9.2).
  const prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex')
  parentPort.on('message', ({ id, hash }) => {
    const signature = privateEncrypt(key, Buffer.concat([prefix, Buffer.from(hash, 'base64')]))
    parentPort.postMessage({ id, signature: signature.toString('base64') })
  })`

/** Starts threads that share a key. */
export function startHashSigners(privateKey: KeyObject, threads: number): HashSigners {
  const waiting = new Map<number, (signature: string) => void>()
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(thread, { eval: true, execArgv: [], workerData: { privateKey } })
    worker.on('message', ({ id, signature }: { id: number; signature: string }) => {
      waiting.get(id)?.(signature)
      waiting.delete(id)
    })
    return worker
  })
  let asked = 0
  return {
    sign: (hash) =>
      new Promise((resolve) => {
        const id = asked++
        waiting.set(id, resolve)
        workers[id % threads]!.postMessage({ id, hash })
      }),
    stop: async () => void (await Promise.all(workers.map((worker) => worker.terminate()))),
  }
}
