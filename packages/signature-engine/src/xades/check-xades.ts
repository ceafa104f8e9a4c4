import { requireArguments } from '../errors/arguments.ts'
import type { Finding, IntegrityReport } from '../report/report.ts'
import { tried } from '../report/tried.ts'
import { XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { embeddedCertificates } from './unsigned-properties.ts'
import { certificateOf, checkSignature, propertiesOf, readAt, requireBoundedWork } from './validate-xades.ts'
import { DS } from './vocabulary.ts'

export interface XadesIntegrity extends IntegrityReport {
  readonly id: string | undefined
  readonly findings: readonly Finding[]
}

const NOTHING_OUTSIDE = { find: () => undefined }

/**
 * Whether every signature of a document is mathematically intact, in document order: digests, signature value, binding of
 * the certificate. Nothing is said about whom the certificates belong to; `validateXades` does that.
 */
export function checkXades(document: Uint8Array | XmlIndex): XadesIntegrity[] {
  requireArguments('checkXades', { document: [document, 'object'] })
  const index = document instanceof XmlIndex ? document : scanXml(document)
  const elements = index.findAll(DS, 'Signature')
  requireBoundedWork(index, elements.length)
  return elements.map((element) => {
    const { signature, findings: found } = readAt(index, element, NOTHING_OUTSIDE)
    const findings = [...found]
    if (signature === undefined)
      return { id: index.attribute(element, 'Id'), contentIntact: false, signatureIntact: false, findings }
    const contentIntact = findings.length === 0
    const properties = tried(findings, () => propertiesOf(index, signature))
    const { certificate } = certificateOf(properties, embeddedCertificates(index, signature), findings)
    const signatureIntact = checkSignature(index, signature, certificate, findings)
    return { id: signature.id, contentIntact, signatureIntact, findings }
  })
}
