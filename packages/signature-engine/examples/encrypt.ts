import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { decryptToFile, encryptToFile } from '@chancela/signature-engine/envelope'
import { openPkcs12 } from '@chancela/signature-engine/keys'
import { readCertificates } from '@chancela/signature-engine/x509'

// Encrypting needs only the recipients' certificates, which are public.
const recipients = readCertificates(await readFile('maria.pem'))
await encryptToFile(recipients, createReadStream('contract.pdf'), 'contract.pdf.enc', { now: new Date() })

// Opening needs a key. The file appears whole and unchanged, or not at all.
const key = await openPkcs12(await readFile('maria.p12'), 'segredo')
await decryptToFile(key, createReadStream('contract.pdf.enc'), 'contract.again.pdf')
