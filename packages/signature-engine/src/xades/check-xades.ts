import { requireArguments } from '../errors/arguments.ts'
import { allUnchecked, contentCheck, type IntegrityReport, worstCheck } from '../report/check.ts'
import type { Finding } from '../report/report.ts'
import { tried } from '../report/tried.ts'
import { XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { readAt, requireBoundedWork } from './resolve-contents.ts'
import { embeddedCertificates } from './unsigned-properties.ts'
import { certificateOf, checkSignature, propertiesOf } from './validate-xades.ts'
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
    const { signature, properties: protection, findings: found } = readAt(index, element, NOTHING_OUTSIDE)
    const findings = [...found]
    if (signature === undefined)
      return { id: index.attribute(element, 'Id'), ...allUnchecked('structure-malformed'), findings }
    const content = contentCheck(findings)
    const properties = tried(findings, () => propertiesOf(index, signature))
    const { certificate, binding } = certificateOf(properties, embeddedCertificates(index, signature), findings)
    const value = checkSignature(index, signature, certificate, findings)
    return {
      id: signature.id,
      content,
      signature: value,
      certificateBinding: worstCheck([protection, binding]),
      findings,
    }
  })
}
