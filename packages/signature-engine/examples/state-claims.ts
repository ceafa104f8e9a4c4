import { readFile, writeFile } from 'node:fs/promises'
import { pkcs12Signer } from '@chancela/signature-engine/keys'
import { counterSignXades, signXades } from '@chancela/signature-engine/xades'

const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')
const now = new Date()

// One signature over the invoice and a file beside it. The same `claims` go into signCades and signPades.
const signed = await signXades(await readFile('invoice.xml'), signer, {
  now,
  also: [{ uri: 'contract.pdf', content: await readFile('contract.pdf'), mimeType: 'application/pdf' }],
  claims: { roles: ['Diretora'], commitments: ['proof-of-approval'], place: { city: 'Recife', country: 'BR' } },
})

// Whoever confirms it signs the signature, not the content; `counterSignCades` does it for a CMS.
const confirmed = await counterSignXades(signed, signer, { now, claims: { roles: ['Testemunha'] } })

await writeFile('invoice.confirmed.xml', confirmed)
await signer.close()
