import { readFile } from 'node:fs/promises'
import { inspect, inspectionText } from '@chancela/signature-engine/inspection'

// Certificates, PKCS#12, signatures, PDF revisions, XML, JWS, containers, revocation lists, timestamps: shown, not judged.
const found = await inspect(await readFile('contract.signed.pdf'))
console.log(inspectionText(found))
