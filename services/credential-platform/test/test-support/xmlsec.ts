import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toPem } from '@chancela/signature-engine/der'
import type { Certificate } from '@chancela/signature-engine/x509'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'

const MEC = 'http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd'

/** Elements whose id is an Id; xmlsec1 needs the list, as there is no DTD. */
const ID_HOLDERS: readonly (readonly [attribute: string, element: string])[] = [
  ['Id', 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties'],
  ['id', `${MEC}:DadosDiploma`],
  ['id', `${MEC}:DadosRegistro`],
]

/** What xmlsec1 says to every signature of a document, one after the other: it looks at one in a run. */
export async function xmlsecVerdicts(document: Uint8Array, root: Certificate, now: Date): Promise<string[]> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'root.pem'), toPem('CERTIFICATE', root.der))
  writeFileSync(join(folder, 'document.xml'), document)
  const count =
    Buffer.from(document)
      .toString('utf8')
      .match(/<ds:Signature /g)?.length ?? 0
  const ids = ID_HOLDERS.flatMap(([attribute, element]) => [`--id-attr:${attribute}`, element])
  const at = now.toISOString().slice(0, 19).replace('T', ' ')
  const verdicts: string[] = []
  for (let number = 1; number <= count; number++) {
    const node = ['--node-xpath', `(//*[local-name()='Signature'])[${number}]`]
    const time = ['--verification-gmt-time', at]
    const run = await runTool(
      'xmlsec1',
      ['--verify', ...time, '--trusted-pem', 'root.pem', ...ids, ...node, 'document.xml'],
      { folder },
    )
    verdicts.push(run.ok ? 'OK' : run.text)
  }
  return verdicts
}
