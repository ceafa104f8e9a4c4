import { readFile, writeFile } from 'node:fs/promises'
import { signAsic } from '@chancela/signature-engine/asic'
import { pkcs12Signer } from '@chancela/signature-engine/keys'

const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')

// Files and their signature in one zip: ASiC-S for one file, ASiC-E for several.
const files = ['contract.pdf', 'invoice.xml']
const contents = await Promise.all(files.map(async (name) => ({ name, content: await readFile(name) })))
const container = await signAsic(contents, signer, { now: new Date() })

await writeFile('deal.asice', container)
await signer.close()
