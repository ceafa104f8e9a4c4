// A thread that signs digests: Node does this only synchronously.
import { constants, type KeyObject, privateEncrypt } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { ecdsaOver } from './ecdsa-over-digest.ts'

/** KeyObjects are passed between threads without leaving OpenSSL's memory. */
export interface DigestTask {
  readonly key: KeyObject
  /** For RSA the DigestInfo of RFC 8017, for elliptic curves the digest. */
  readonly input: Uint8Array
}

export type DigestAnswer = { readonly signature: Uint8Array } | { readonly reason: string }

parentPort?.on('message', (task: DigestTask) => parentPort?.postMessage(answer(task)))

function answer({ key, input }: DigestTask): DigestAnswer {
  try {
    if (key.asymmetricKeyType === 'ec') return { signature: ecdsaOver(key, input) }
    return { signature: privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, input) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}
