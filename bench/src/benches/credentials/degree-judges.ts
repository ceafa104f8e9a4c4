import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPem } from '@chancela/signature-engine/der'
import type { Certificate } from '@chancela/signature-engine/x509'
import { runTool } from '@chancela/testkit/tools'

const MEC = 'http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd'

/** Elements whose id is an Id; xmlsec1 needs the list, as there is no DTD. */
const ids = [
  ['--id-attr:Id', 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties'],
  ['--id-attr:id', `${MEC}:DadosDiploma`],
  ['--id-attr:id', `${MEC}:DadosRegistro`],
].flat()

/** `xmlsec1` must verify every signature of a document, one after the other: it looks at one in a run. */
export async function requireXmlSignatures(document: Uint8Array, root: Certificate): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'chancela-bench-'))
  try {
    const [rootFile, file] = [join(folder, 'root.pem'), join(folder, 'document.xml')]
    await writeFile(rootFile, toPem('CERTIFICATE', root.der))
    await writeFile(file, document)
    const count =
      Buffer.from(document)
        .toString()
        .match(/<ds:Signature /g)?.length ?? 0
    for (let number = 1; number <= count; number += 1) {
      const node = ['--node-xpath', `(//*[local-name()='Signature'])[${number}]`]
      const { ok, text } = await runTool('xmlsec1', ['--verify', '--trusted-pem', rootFile, ...ids, ...node, file])
      if (!ok) throw new Error(`Signature ${number} is not accepted:\n${text}`)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
