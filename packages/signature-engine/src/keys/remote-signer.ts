import { requireFit } from '../crypto/signing-algorithm.ts'
import { isSignedBy } from '../crypto/verify-signature.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { DigestSigner, SigningRequest } from './digest-signer.ts'
import { refuseKey } from './errors.ts'
import { requireSigningKey } from './key-strength.ts'

/** A key held by another system, and a function that requests its signature. */
export interface RemoteKey {
  readonly certificate: Certificate
  /** The known issuers, nearest first; default none. */
  readonly chain?: readonly Certificate[]
  /** Requests the signature. `signal` is aborted when the answer is no longer needed. */
  readonly sign: (request: SigningRequest, signal: AbortSignal) => Promise<Uint8Array>
  /** Time for one answer in milliseconds; default 30,000. */
  readonly timeoutMs?: number
  /** Aborts all signatures of this signer, including those in progress. */
  readonly signal?: AbortSignal
  /** Called once when the signer is closed. */
  readonly close?: () => Promise<void>
}

/** Signs with a remote key. Its answer is verified before it is returned. */
export function remoteSigner(key: RemoteKey): DigestSigner {
  requireArguments('remoteSigner', {}, key, ['certificate', 'sign'])
  const { certificate, chain = [], sign, timeoutMs = 30_000, signal, close = async () => {} } = key
  requireSigningKey(certificate)
  const closing = new AbortController()
  return {
    certificate,
    chain,
    async sign(request) {
      requireFit(certificate.publicKey, request.algorithm)
      if (closing.signal.aborted) throw refuseKey('key.closed')
      const deadline = AbortSignal.timeout(timeoutMs)
      const given = AbortSignal.any([deadline, closing.signal, ...(signal ? [signal] : [])])
      const reasonFor = (error: unknown) => refusal(error, { deadline, given, timeoutMs })
      const answer = await unlessAborted(given, () => sign(request, given)).catch((error: unknown) => {
        throw reasonFor(error)
      })
      if (!isSignedBy(certificate.publicKey, request.algorithm, request.toSign, answer)) {
        throw refuseKey('key.bad-answer')
      }
      return answer
    },
    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      await close()
    },
  }
}

/** A callback may ignore its signal; the caller is released anyway. */
function unlessAborted<T>(signal: AbortSignal, operation: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    Promise.resolve()
      .then(operation)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp))
  })
}

interface Circumstances {
  readonly deadline: AbortSignal
  readonly given: AbortSignal
  readonly timeoutMs: number
}

/** The callback's own refusals are passed on; other errors are mapped to a refusal. */
function refusal(error: unknown, { deadline, given, timeoutMs }: Circumstances): EngineError {
  if (error instanceof EngineError) return error
  if (deadline.aborted) return refuseKey('key.no-answer', { milliseconds: timeoutMs }, error)
  if (given.aborted) return refuseKey('key.aborted', undefined, error)
  return refuseKey('key.failed', { reason: error instanceof Error ? error.message : String(error) }, error)
}
