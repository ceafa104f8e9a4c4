import { readFile, writeFile } from 'node:fs/promises'
import { pkcs12Signer } from '@chancela/signature-engine/keys'
import { readMarkTemplate, signPades } from '@chancela/signature-engine/pades'

const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')

// Mostly JSON from a file. Everything has a default; what is unknown is refused by its name.
const mark = readMarkTemplate({
  place: { page: 'last', x: 36, y: 36, width: 240, height: 90, origin: 'bottom-right' },
  background: { color: '#eef3f8', opacity: 0.9 }, // legible over pictures; opaque in PDF/A-1
  border: { width: 1, color: '#1f4e79' },
  text: {
    lines: {
      'pt-BR': ['Assinado por', { text: '{name}', style: 'bold' }, 'CPF {maskedCpf}', '{time}', 'Motivo: {reason}'],
      'en-US': ['Signed by', { text: '{name}', style: 'bold' }, 'CPF {maskedCpf}', '{time}', 'Reason: {reason}'],
    },
    leastSize: 6, // as large as fits, and refused where this does not
  },
  qrCode: { text: 'https://example.com/check/{serialNumber}' },
  language: 'pt-BR',
})

const signed = await signPades(await readFile('contract.pdf'), signer, { now: new Date(), reason: 'Aprovado', mark })

await writeFile('contract.template.pdf', signed)
await signer.close()
