// Whether a signed version differs from the one before it by signatures alone, and whether all of them hold.
import { isIntact } from '@chancela/signature-engine/report'
import { checkXades } from '@chancela/signature-engine/xades'
import { ELEMENT, scanXml } from '@chancela/signature-engine/xml'

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'

/** The bytes outside every signature. */
function outsideSignatures(bytes: Uint8Array): Buffer {
  const index = scanXml(bytes)
  try {
    const pieces: Uint8Array[] = []
    let at = 0
    for (const element of index.findAll(XMLDSIG, 'Signature')) {
      const start = index.cell(element, ELEMENT.start)
      // One inside another, as a countersignature, goes with it.
      if (start < at) continue
      pieces.push(bytes.subarray(at, start))
      at = index.cell(element, ELEMENT.end)
    }
    return Buffer.concat([...pieces, bytes.subarray(at)])
  } finally {
    index.release()
  }
}

type Checked = ReturnType<typeof checkXades>[number]

/** Seen to be wrong, and not only in a form that nobody here can check. */
const isRefuted = ({ content, signature }: Checked): boolean =>
  [content, signature].some(({ state }) => state === 'failed')

/** What is wrong with a new version, in a sentence; undefined when nothing is. */
export function versionProblem(before: Uint8Array, after: Uint8Array): string | undefined {
  if (!outsideSignatures(before).equals(outsideSignatures(after))) return 'Something besides signatures was changed.'
  const signatures = checkXades(after)
  const broken = signatures.find((one) => !isIntact(one))
  if (broken) return `The signature ${broken.id ?? ''} ${isRefuted(broken) ? 'does not hold' : 'cannot be checked'}.`
  const ids = new Set(signatures.map(({ id }) => id))
  const lost = checkXades(before).find(({ id }) => !ids.has(id))
  return lost && `The signature ${lost.id ?? ''} was taken away.`
}
