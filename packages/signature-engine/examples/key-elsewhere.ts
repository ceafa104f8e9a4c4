import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { openState, sealState } from '@chancela/signature-engine'
import { openPkcs12 } from '@chancela/signature-engine/keys'
import { completePades, preparePades } from '@chancela/signature-engine/pades'
import { keyElsewhere } from './key-elsewhere-service.ts'

const secret = randomBytes(32) // one for all instances of your service
const { certificate, chain } = await openPkcs12(await readFile('maria.p12'), 'segredo')

// First request: lay the signature out. The key needs only `digest`; the rest is kept, sealed, until it answers.
const prepared = preparePades(await readFile('contract.pdf'), certificate, { chain, now: new Date() })
const sealed = sealState(prepared.state, secret)

// Minutes later, perhaps on another machine: the key has answered. A wrong answer is refused here.
const signature = await keyElsewhere(prepared.algorithm.name, prepared.digest)
const signed = completePades(openState(sealed, secret), signature)

await writeFile('contract.remote.pdf', signed)
