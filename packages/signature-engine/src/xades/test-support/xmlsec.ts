import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, type ToolRun, temporaryFolder } from '@chancela/testkit/tools'
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
  const ids = ID_HOLDERS.flatMap((name) => ['--id-attr:Id', name])
  return runTool('xmlsec1', ['--verify', '--trusted-pem', 'root.pem', ...ids, ...files], { folder })
}
