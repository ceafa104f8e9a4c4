import { readFile, writeFile } from 'node:fs/promises'
import { pkcs12Signer } from '@chancela/signature-engine/keys'
import { addSignatureFields, listSignatureFields, signPades } from '@chancela/signature-engine/pades'

const prepared = addSignatureFields(await readFile('contract.pdf'), [
  {
    name: 'Witness',
    place: { x: 36, y: 36, width: 220, height: 60 },
  },
  {
    name: 'Director',
    place: { page: 'last', x: 36, y: 36, width: 220, height: 60, origin: 'bottom-right' },
    lock: { action: 'all' }, // who signs here closes the document
    seedValue: { digestMethod: ['SHA512'], reasons: ['Approved'], required: ['reasons'] },
  },
])

console.log(listSignatureFields(prepared).map(({ name, isSigned }) => `${name}: ${isSigned ? 'signed' : 'empty'}`))

const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')
const witnessed = await signPades(prepared, signer, { now: new Date(), fieldName: 'Witness', mark: {} })
const closed = await signPades(witnessed, signer, { now: new Date(), fieldName: 'Director', mark: {} })

await writeFile('contract.closed.pdf', closed)
await signer.close()
