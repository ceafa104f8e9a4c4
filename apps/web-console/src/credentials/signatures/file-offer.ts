import { digestName } from '../../shared/signing/digest-name.ts'
import type { FileOffer } from '../../shared/signing/offers.ts'
import { completeSignature, startSignature } from '../api/items.ts'

/** A document that a person chose to sign. */
export interface ToSign {
  readonly documentId: string
  readonly title: string
}

/** One that was not signed, and why. */
export interface NotSigned extends ToSign {
  readonly error: unknown
}

/**
 * The key stays in the browser: the certificate goes to the service, then the signatures. A document that cannot be
 * signed loses none of the others; where none can, the reason of the first is thrown.
 */
export function fileOffer(documents: readonly ToSign[], onNotSigned: (failures: readonly NotSigned[]) => void) {
  let begun: (ToSign & { readonly token: string })[] = []
  let failures: NotSigned[] = []
  /** Does it for each; those that fail are set aside. */
  async function each<One extends ToSign, Result>(
    all: readonly One[],
    work: (one: One, at: number) => Promise<Result>,
  ) {
    const results: Result[] = []
    for (const [at, one] of all.entries()) {
      try {
        results.push(await work(one, at))
      } catch (error) {
        failures.push({ documentId: one.documentId, title: one.title, error })
      }
    }
    if (results.length === 0) throw failures[0]!.error
    return results
  }
  const offer: FileOffer = {
    way: 'file',
    async prepare(certificate) {
      failures = []
      const started = await each(documents, async (one) => ({
        ...one,
        ...(await startSignature(one.documentId, certificate)),
      }))
      begun = started
      return started.map(({ toSignHash, digestAlgorithm }) => ({
        hash: toSignHash,
        digestAlgorithm: digestName(digestAlgorithm),
      }))
    },
    async complete(signatures) {
      await each(begun, ({ documentId, token }, at) =>
        completeSignature(documentId, { token, signature: signatures[at]! }),
      )
      onNotSigned(failures)
    },
  }
  return offer
}
