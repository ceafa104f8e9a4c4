import { webcrypto } from 'node:crypto'
import * as xmldom from '@xmldom/xmldom'
import * as xadesjs from 'xadesjs'
import type { MakeWork } from '../contestants.ts'
import { requireXmlSignature } from '../outside-judges.ts'
import type { Sample } from '../sample-documents.ts'

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** `xadesjs`: XAdES-BES, enveloped, from the text of the document to the text of the signed one. */
export const signWithXadesjs =
  (sample: Sample): MakeWork =>
  async ({ rsa: { certificate, privateKey } }) => {
    const document = sample()
    xadesjs.setNodeDependencies(xmldom)
    xadesjs.Application.setEngine('node', webcrypto)
    const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
    const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
    const base64 = certificate.der.toString('base64')
    const text = document.toString('utf8')
    return {
      once: async () => Buffer.from(await sign(text, key, base64)),
      check: requireXmlSignature,
    }
  }

async function sign(text: string, key: webcrypto.CryptoKey, certificate: string): Promise<string> {
  const document = xadesjs.Parse(text)
  const signed = new xadesjs.SignedXml()
  await signed.Sign(algorithm, key, document, {
    x509: [certificate],
    signingCertificateV2: certificate,
    references: [{ uri: '', hash: 'SHA-256', transforms: ['enveloped', 'c14n'] }],
  })
  document.documentElement.appendChild(signed.GetXml()!)
  return new xmldom.XMLSerializer().serializeToString(document as never)
}
