import { checkNewCms } from '../cms/check-new-cms.ts'
import { digest } from '../crypto/digest.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import { readDer } from '../der/der-value.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { selectPolicy } from '../policies/policies.ts'
import { type Finding, finding } from '../report/report.ts'
import { malformed } from '../report/tried.ts'
import type { Certificate } from '../x509/certificate.ts'

/** The attached signature a file ought to be: what it was signed with. */
export interface CheckNewCadesOptions {
  readonly certificate: Certificate
  /** Issuers that were sent along, nearest first. Default none. */
  readonly chain?: readonly Certificate[]
  /** Default B-B. */
  readonly level?: 'B-B' | 'AD-RB'
  /** Default SHA-256. */
  readonly digest?: SigningDigest
  /** The time it was signed at. */
  readonly now: Date
}

/**
 * What is wrong with a basic attached signature in DER that was just made; nothing when it is right. Reads the finished
 * bytes as a stranger would; whom to trust is not asked.
 */
export function checkNewCades(file: Uint8Array, options: CheckNewCadesOptions): readonly Finding[] {
  requireArguments('checkNewCades', { file: [file, 'bytes'] }, options, ['certificate', 'now'])
  const { certificate, chain = [], level = 'B-B', now } = options
  try {
    const content = contentIn(file)
    if (!content) return [finding('content-missing')]
    return checkNewCms(file, {
      certificate,
      chain,
      digest: options.digest,
      signingTime: now,
      policy:
        level === 'AD-RB'
          ? selectPolicy({ format: 'CAdES', name: 'AD-RB', root: chain.at(-1) ?? certificate, now })
          : undefined,
      contentDigest: (name) => digest(name, content),
      content,
    })
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return [malformed(error)]
  }
}

/** The content of an attached signature; the rest is not read. */
function contentIn(file: Uint8Array): Buffer | undefined {
  const [, signedData] = readDer(file).sequence().rest()
  const [, , encapsulated] = signedData?.unwrap().sequence().rest() ?? []
  const [, content] = encapsulated?.sequence().rest() ?? []
  return content?.unwrap().octets()
}
