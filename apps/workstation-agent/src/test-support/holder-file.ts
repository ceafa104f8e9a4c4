// A holder whose certificate is in a file on this machine.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { temporaryFolder } from '@chancela/testkit/tools'
import { AgentHome } from '../home.ts'
import { addFile } from '../source-commands.ts'
import { KeySources } from '../sources/key-sources.ts'

export const PASSWORD = 'senha-do-arquivo-93'

const pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock: () => new Date(), keys: cachedKeys() })

/** A folder of an agent that offers the certificate of one of the demo's people. */
export async function newFileHolder(label = 'ana-souza') {
  const home = temporaryFolder()
  const issued = pki.certificate(label)
  const file = join(home, `${label}.p12`)
  writeFileSync(file, pki.pkcs12(issued, { password: PASSWORD }))
  await addFile(home, file, PASSWORD)
  const said: string[] = []
  const sources = new KeySources(new AgentHome(home), (sentence) => void said.push(sentence))
  await sources.look()
  const { fingerprint } = sources.all[0]!.certificates[0]!.certificate
  return { home, file, issued, sources, said, fingerprint }
}
