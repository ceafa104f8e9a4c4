import { readFile, writeFile } from 'node:fs/promises'
import { signJades } from '@chancela/signature-engine/jades'
import { pkcs12Signer } from '@chancela/signature-engine/keys'

const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')

// A compact JWS, which any JOSE library verifies; `serialization: 'general'` has room for several signers.
const order = Buffer.from(JSON.stringify({ item: 'caneta', total: 10 }))
const signed = await signJades(order, signer, { now: new Date(), mimeType: 'application/json' })

await writeFile('order.jws', signed)
await signer.close()
