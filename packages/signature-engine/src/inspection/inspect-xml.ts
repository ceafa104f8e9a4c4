import { policyTitle } from '../policies/policies.ts'
import { readLpa } from '../policies/policy-list.ts'
import { Certificate } from '../x509/certificate.ts'
import { base64, readSignature } from '../xades/read-signature.ts'
import { readSignedProperties } from '../xades/signed-properties.ts'
import { DS } from '../xades/vocabulary.ts'
import { ROOT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { inspectCertificate } from './inspect-certificate.ts'
import { type Inspected, inspected } from './inspected.ts'

/** An XML document and the signatures in it. */
export function inspectXml(bytes: Uint8Array): Inspected {
  const index = scanXml(bytes)
  const signatures = index.findAll(DS, 'Signature')
  const list = index.localName(ROOT) === 'ApprovedSignaturePoliciesList' ? [inspectPolicyList(bytes)] : []
  return inspected(
    'xml',
    'XML document',
    {
      root: index.localName(ROOT),
      namespace: index.namespaceName(ROOT) || undefined,
      elements: index.tables.elementCount,
      signatures: signatures.length,
    },
    [...list, ...signatures.map((element) => inspectSignature(index, element))],
  )
}

/** A list of approved signature policies, in either of its forms. */
export function inspectPolicyList(bytes: Uint8Array): Inspected {
  const { policies, nextUpdate } = readLpa(bytes)
  const lines = policies.map(({ oid, revokedAt, notAfter }) => {
    const until = revokedAt ? `revoked ${revokedAt.toISOString()}` : `until ${notAfter.toISOString()}`
    return `${policyTitle(oid) ?? oid}, ${until}`
  })
  return inspected('policy-list', 'List of approved signature policies (LPA)', { nextUpdate, policies: lines })
}

function inspectSignature(index: XmlIndex, element: number): Inspected {
  const signature = readSignature(index, element)
  const properties =
    signature.signedProperties === undefined ? undefined : readSignedProperties(index, signature.signedProperties)
  const policy = properties?.policy
  const certificates = index.findAll(DS, 'X509Certificate', element).map((one) => Certificate.read(base64(index, one)))
  return inspected(
    'xml-signature',
    `Signature ${signature.id ?? ''} at ${index.path(element)}`,
    {
      algorithm: signature.algorithm?.name ?? signature.algorithmUri,
      references: signature.references.map(({ uri, digestUri }) => `${uri ?? '(none)'} by ${digestUri}`),
      signingTime: properties?.signingTime,
      policy: policy ? (policyTitle(policy.oid) ?? policy.oid) : undefined,
      unsignedProperties:
        signature.unsigned === undefined
          ? undefined
          : index.children(signature.unsigned).map((child) => index.localName(child)),
    },
    certificates.map(inspectCertificate),
  )
}
