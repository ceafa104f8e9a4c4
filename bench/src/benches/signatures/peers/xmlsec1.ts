import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPem } from '@chancela/signature-engine/der'
import { runTool } from '@chancela/testkit/tools'
import type { MakeWork } from '../contestants.ts'
import { requireXmlSignature } from '../outside-judges.ts'
import type { Sample } from '../sample-documents.ts'

/** `xmlsec1 --sign`, a process per document: a plain XML signature, without what XAdES adds. */
export const signWithXmlsec =
  (sample: Sample): MakeWork =>
  async ({ rsa: { certificate, privateKey } }) => {
    const document = sample()
    const folder = await mkdtemp(join(tmpdir(), 'chancela-bench-'))
    const [template, key, cert, out] = ['template.xml', 'key.pem', 'cert.pem', 'out.xml'].map((name) =>
      join(folder, name),
    )
    await Promise.all([
      writeFile(template!, withTemplate(document)),
      writeFile(key!, privateKey.export({ type: 'pkcs8', format: 'pem' })),
      writeFile(cert!, toPem('CERTIFICATE', certificate.der)),
    ])
    return {
      once: async () => {
        const { ok, text } = await runTool('xmlsec1', [
          '--sign',
          '--privkey-pem',
          `${key},${cert}`,
          '--output',
          out!,
          template!,
        ])
        if (!ok) throw new Error(text)
        return readFile(out!)
      },
      check: requireXmlSignature,
      end: () => rm(folder, { recursive: true }),
    }
  }

/** The signature template that the tool fills in, as the last child of the root. */
export function withTemplate(document: Buffer): string {
  const text = document.toString('utf8')
  const at = text.lastIndexOf('</')
  return text.slice(0, at) + template + text.slice(at)
}

const template = `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>
<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>
<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
<Reference URI=""><Transforms>
<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>
<Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>
</Transforms><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue/></Reference>
</SignedInfo><SignatureValue/><KeyInfo><X509Data/></KeyInfo></Signature>`
