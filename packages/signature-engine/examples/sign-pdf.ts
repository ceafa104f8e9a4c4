import { readFile, writeFile } from 'node:fs/promises'
import { pkcs12Signer } from '@chancela/signature-engine/keys'
import { signPades } from '@chancela/signature-engine/pades'

// A .p12 (or .pfx) file holds a private key and its certificate, under a password.
const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')

const contract = await readFile('contract.pdf')
const signed = await signPades(contract, signer, { now: new Date() })

await writeFile('contract.signed.pdf', signed)
await signer.close()
