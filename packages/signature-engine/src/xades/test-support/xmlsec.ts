import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, type ToolRun, temporaryFolder } from '@chancela/testkit/tools'
import type { DemoSigners } from '../../cms/test-support/demo-signers.ts'
import { toPem } from '../../der/pem.ts'
import type { Certificate } from '../../x509/certificate.ts'

/** Elements of the tests' documents whose `Id` is an Id; xmlsec1 needs the list, as there is no DTD. */
const ID_HOLDERS = [
  'http://uri.etsi.org/01903/v1.3.2#:SignedProperties',
  'http://www.w3.org/2000/09/xmldsig#:Object',
  'urn:order:order',
  'urn:order:item',
  'urn:order:note',
]

const IDS = ID_HOLDERS.flatMap((name) => ['--id-attr:Id', name])

export interface XmlsecOptions {
  readonly root: Certificate
  /** Detached contents by file name. */
  readonly contents?: Readonly<Record<string, Uint8Array>>
}

/** The result of `xmlsec1 --verify`: good only if all documents are. It checks only the first signature. */
export function xmlsecVerifies(
  documents: readonly Uint8Array[],
  { root, contents = {} }: XmlsecOptions,
): Promise<ToolRun> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'root.pem'), toPem('CERTIFICATE', root.der))
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content)
  const files = documents.map((document, at) => {
    writeFileSync(join(folder, `${at}.xml`), document)
    return `${at}.xml`
  })
  return runTool('xmlsec1', ['--verify', '--trusted-pem', 'root.pem', ...IDS, ...files], { folder })
}

/** What a template asks xmlsec1 for; each has a default. */
export interface XmlsecMethods {
  readonly signature: string
  readonly digest: string
  readonly transforms: string
  readonly canonicalisation: string
  /** Of the element of the signature; those inside have none. */
  readonly prefix: string
  /** The document, with `SIGNATURE` where the template of the signature goes. */
  readonly document: string
}

const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

const USUAL: XmlsecMethods = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
  transforms: `<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><Transform Algorithm="${C14N}"/>`,
  canonicalisation: C14N,
  prefix: '',
  document: '<nota xmlns="urn:order"><valor>1,00</valor>SIGNATURE</nota>',
}

/** A document signed by xmlsec1 with the key of a demo holder. */
export async function xmlsecSigns(demo: DemoSigners, methods: Partial<XmlsecMethods> = {}): Promise<Buffer> {
  const { signature, digest, transforms, canonicalisation, prefix, document } = { ...USUAL, ...methods }
  const folder = temporaryFolder()
  const issued = demo.pki.certificate('ana-souza')
  const declared = prefix && ` xmlns:${prefix.slice(0, -1)}="http://www.w3.org/2000/09/xmldsig#"`
  const template = `<${prefix}Signature${declared} xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod Algorithm="${canonicalisation}"/><SignatureMethod Algorithm="${signature}"/><Reference URI=""><Transforms>${transforms}</Transforms><DigestMethod Algorithm="${digest}"/><DigestValue/></Reference></SignedInfo><SignatureValue/><KeyInfo><X509Data/></KeyInfo></${prefix}Signature>`
  writeFileSync(join(folder, 'template.xml'), document.replace('SIGNATURE', template))
  writeFileSync(join(folder, 'key.pem'), issued.key.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
  writeFileSync(join(folder, 'certificate.pem'), toPem('CERTIFICATE', issued.der))
  const args = ['--sign', '--privkey-pem', 'key.pem,certificate.pem', ...IDS, 'template.xml']
  const { ok, stdout, text } = await runTool('xmlsec1', args, { folder })
  assert.ok(ok, text)
  return stdout
}
