import { readFile, writeFile } from 'node:fs/promises'
import { pkcs12Signer } from '@chancela/signature-engine/keys'
import { signPades } from '@chancela/signature-engine/pades'

const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')

const signed = await signPades(await readFile('contract.pdf'), signer, {
  now: new Date(),
  reason: 'Aprovado',
  appearance: {
    page: 'last',
    x: 36, // points (1/72 inch) from the lower left corner
    y: 36,
    width: 220,
    height: 60,
    lines: ['Assinado por', 'Maria da Silva'],
    qrCode: 'https://example.com/check/42',
  },
})

await writeFile('contract.visible.pdf', signed)
await signer.close()
