import { type DigestName, digestAlgorithms } from '../../crypto/algorithms.ts'
import { nothing, octetString, oid, sequence } from '../../der/der-writer.ts'

const algorithmIdentifiers = new Map(
  (Object.keys(digestAlgorithms) as DigestName[]).map((name) => [
    name,
    sequence(oid(digestAlgorithms[name].oid), nothing),
  ]),
)

/** RFC 8017 §9.2: what PKCS#1 v1.5 pads and signs. */
export const digestInfo = (name: DigestName, digest: Uint8Array): Buffer =>
  sequence(algorithmIdentifiers.get(name), octetString(digest))
