import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { signCadesStream } from '@chancela/signature-engine/cades'
import { pkcs12Signer } from '@chancela/signature-engine/keys'

const signer = await pkcs12Signer(await readFile('maria.p12'), 'segredo')
const { size } = await stat('video.mp4')

// In constant memory, whatever the size: the content is opened twice, once to hash it and once to copy it.
const signed = signCadesStream(() => createReadStream('video.mp4'), signer, { now: new Date(), length: size })

await pipeline(signed, createWriteStream('video.mp4.p7m'))
await signer.close()
