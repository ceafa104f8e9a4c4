import { readFile, writeFile } from 'node:fs/promises'
import { pkcs12Signer } from '@chancela/signature-engine/keys'
import { signXades } from '@chancela/signature-engine/xades'

const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')

// The whole document; `target: { id: 'item-1' }` would sign one element, and leave the others free to change.
const signed = await signXades(await readFile('invoice.xml'), signer, { now: new Date(), level: 'AD-RB' })

await writeFile('invoice.signed.xml', signed)
await signer.close()
