import { EngineError } from '../errors/engine-error.ts'
import { RevocationList } from './crl.ts'
import { OcspResponse } from './ocsp.ts'

/** Revocation data inside signatures. */
export interface RevocationEvidence {
  readonly crls: readonly Uint8Array[]
  /** Full OCSPResponse structures. */
  readonly ocsps: readonly Uint8Array[]
}

export interface ReadEvidence {
  readonly lists: readonly RevocationList[]
  readonly responses: readonly OcspResponse[]
}

const read = new WeakMap<RevocationEvidence, ReadEvidence>()

/** The evidence, parsed once for all certificates of a signature. What cannot be parsed proves nothing: left out. */
export function readEvidence(evidence: RevocationEvidence): ReadEvidence {
  const known = read.get(evidence)
  if (known) return known
  const readable = {
    lists: evidence.crls.flatMap((crl) => ifReadable(() => RevocationList.read(crl))),
    responses: evidence.ocsps.flatMap((ocsp) => ifReadable(() => OcspResponse.read(ocsp))),
  }
  read.set(evidence, readable)
  return readable
}

function ifReadable<T>(parse: () => T): T[] {
  try {
    return [parse()]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return [] // Unreadable evidence is ignored.
  }
}
